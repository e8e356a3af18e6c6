-- The tools that make a ticket or change its columns: create_ticket, update_ticket, assign_ticket
-- and transition_ticket. Each change is a row of `history`.
local me = "agent@acme.example"
local address = [[^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$]]
local allowed = {
  open = { "in_progress" },
  in_progress = { "resolved", "open" },
  resolved = { "closed", "open" },
  closed = { "open" },
}

-- As it is recorded: a list as a text, nobody as nothing.
local function in_words(ctx, value)
  if value == ctx.null then return nil end
  return type(value) == "table" and table.concat(value, ", ") or value
end

local function record(ctx, id, field, from, to)
  ctx.tables.history:insert{
    id = ctx.id("change"),
    ticket_id = id,
    at = ctx.now(),
    by = me,
    field = field,
    from = in_words(ctx, from),
    to = in_words(ctx, to),
  }
end

local function change(ctx, ticket, column, value)
  if in_words(ctx, ticket[column]) == in_words(ctx, value) then return end
  record(ctx, ticket.id, column, ticket[column], value)
  ticket[column], ticket.updated_at = value, ctx.now()
  ctx.tables.tickets:update(ticket.id, { [column] = value, updated_at = ctx.now() })
end

-- A code and a sentence when nobody of this address can work on a ticket.
local function assignee_problem(ctx, id)
  local user = ctx.tables.users:get(id)
  if not user then return "unknown_user", "there is no user of this address: list_users has them" end
  if not user.active then return "user_inactive", "the user is not active any more" end
end

local function create(ctx, args)
  if not ctx.tables.projects:get(args.project) then
    return ctx.fail("unknown_project", "there is no project of this id: list_projects has them")
  end
  if args.customer and not ctx.text.matches(args.customer, address) then
    return ctx.fail("invalid_address", "the customer is one plain address, without a name")
  end
  if args.assignee then
    local code, sentence = assignee_problem(ctx, args.assignee)
    if code then return ctx.fail(code, sentence) end
  end
  local ticket = args
  ticket.id = ctx.id("ticket")
  ticket.status = "open"
  ticket.assignee = args.assignee or ctx.null
  ticket.labels = args.labels or ctx.array{}
  ticket.created_at, ticket.updated_at = ctx.now(), ctx.now()
  ctx.tables.tickets:insert(ticket)
  record(ctx, ticket.id, "created", nil, "open")
  return ctx.ok(ticket)
end

local function transition(ctx, args, ticket)
  for _, status in ipairs(allowed[ticket.status]) do
    if status == args.status then
      local from = ticket.status
      change(ctx, ticket, "status", status)
      return ctx.ok{ ticket_id = ticket.id, from = from, status = status }
    end
  end
  return ctx.fail("invalid_transition", "a ticket that is " .. ticket.status .. " can become "
    .. table.concat(allowed[ticket.status], " or ") .. ", not " .. args.status)
end

local function assign(ctx, args, ticket)
  if args.assignee ~= ctx.null then
    local code, sentence = assignee_problem(ctx, args.assignee)
    if code then return ctx.fail(code, sentence) end
  end
  local from = ticket.assignee
  change(ctx, ticket, "assignee", args.assignee)
  return ctx.ok{ ticket_id = ticket.id, from = from, assignee = args.assignee }
end

return function(ctx, args)
  if ctx.tool == "create_ticket" then return create(ctx, args) end
  local ticket = ctx.tables.tickets:get(args.ticket_id)
  if not ticket then return ctx.fail("not_found", "there is no ticket of this id") end
  if ctx.tool == "transition_ticket" then return transition(ctx, args, ticket) end
  if ticket.status == "closed" then
    return ctx.fail("ticket_closed", "the ticket is closed; move it to open first")
  end
  if ctx.tool == "assign_ticket" then return assign(ctx, args, ticket) end
  for _, column in ipairs{ "title", "body", "priority", "labels" } do
    if args[column] then change(ctx, ticket, column, args[column]) end
  end
  return ctx.ok(ticket)
end
