-- A cursor is the id of the last ticket shown, so that new tickets move nothing.
local ranks = { low = 1, normal = 2, high = 3, urgent = 4 }
local shown = { "id", "project", "title", "status", "priority", "assignee", "labels", "customer",
  "created_at", "updated_at" }

local function is_wanted(ctx, ticket, args)
  for _, column in ipairs{ "status", "priority", "project", "customer" } do
    if args[column] and ticket[column] ~= args[column] then return false end
  end
  local assignee = ticket.assignee ~= ctx.null and ticket.assignee or "none"
  if args.assignee and assignee ~= args.assignee then return false end
  local has_label = not args.label
  for _, label in ipairs(ticket.labels) do has_label = has_label or label == args.label end
  if not has_label then return false end
  return not args.query or ctx.text.contains(ticket.title, args.query)
    or ctx.text.contains(ticket.body, args.query)
    or ctx.text.contains(ticket.customer or "", args.query)
end

-- Equal ones stay in the order of their ids.
local function sort(tickets, order)
  local descending = order:sub(1, 1) == "-"
  local column = descending and order:sub(2) or order
  local function value(ticket) return ranks[ticket[column]] or ticket[column] end
  table.sort(tickets, function(a, b)
    if descending then return value(a) > value(b) end
    return value(a) < value(b)
  end)
end

return function(ctx, args)
  local found, first = {}, 1
  for _, ticket in ipairs(ctx.tables.tickets:rows()) do
    if is_wanted(ctx, ticket, args) then table.insert(found, ticket) end
  end
  sort(found, args.order)
  if args.cursor then
    while first <= #found and found[first].id ~= args.cursor do first = first + 1 end
    if first > #found then
      return ctx.fail("invalid_cursor", "the cursor is of no page of this list: start without one")
    end
    first = first + 1
  end
  local tickets, last = ctx.array{}, math.min(#found, first + args.limit - 1)
  for i = first, last do
    local ticket = {}
    for _, column in ipairs(shown) do ticket[column] = found[i][column] end
    table.insert(tickets, ticket)
  end
  return ctx.ok{
    tickets = tickets,
    total = #found,
    next_cursor = last < #found and found[last].id or nil,
  }
end
