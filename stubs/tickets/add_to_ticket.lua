-- What is added to a ticket that is not closed: comment_ticket, attach_file and link_tickets. Files
-- and links are rows of `history`, comments stand in the ticket with their authors anyway.
local me = "agent@acme.example"
local file_name = [[^[^\x00-\x1f\x7f/\\"]+$]]
local media_type = [[^[A-Za-z0-9][A-Za-z0-9.+-]*/[A-Za-z0-9][A-Za-z0-9.+-]*$]]
local base64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"

local function record(ctx, id, field, to)
  ctx.tables.tickets:update(id, { updated_at = ctx.now() })
  ctx.tables.history:insert{
    id = ctx.id("change"),
    ticket_id = id,
    at = ctx.now(),
    by = me,
    field = field,
    to = to,
  }
end

local function comment(ctx, args)
  ctx.tables.tickets:update(args.ticket_id, { updated_at = ctx.now() })
  return ctx.ok(ctx.tables.comments:insert{
    id = ctx.id("comment"),
    ticket_id = args.ticket_id,
    author = me,
    visibility = args.visibility,
    body = args.body,
    at = ctx.now(),
  })
end

local function bytes_of(args)
  if args.encoding == "text" then return #args.content end
  local padding = args.content:find("=")
  return #args.content // 4 * 3 - (padding and #args.content - padding + 1 or 0)
end

local function attach(ctx, args)
  if not ctx.text.matches(args.name, file_name) or args.name == "." or args.name == ".." then
    return ctx.fail("invalid_attachment", "a name is a file name without folders and quotes")
  elseif not ctx.text.matches(args.media_type, media_type) then
    return ctx.fail("invalid_attachment", "a media type is like text/plain")
  elseif args.encoding == "base64" and not ctx.text.matches(args.content, base64) then
    return ctx.fail("invalid_attachment", "the content is not base64")
  end
  local attachment = args
  attachment.id = ctx.id("attachment")
  attachment.bytes = bytes_of(args)
  attachment.by, attachment.at = me, ctx.now()
  ctx.tables.attachments:insert(attachment)
  record(ctx, args.ticket_id, "attachment", args.name)
  return ctx.ok{
    attachment_id = attachment.id,
    ticket_id = args.ticket_id,
    name = args.name,
    bytes = attachment.bytes,
  }
end

-- A relation is the same in both directions, the other links are not.
local function is_linked(ctx, args)
  local is = { ticket_id = args.ticket_id, type = args.type, other_id = args.other_id }
  local back = { ticket_id = args.other_id, type = args.type, other_id = args.ticket_id }
  return #ctx.tables.links:find(is) > 0
    or (args.type == "relates" and #ctx.tables.links:find(back) > 0)
end

local function link(ctx, args)
  if not ctx.tables.tickets:get(args.other_id) then
    return ctx.fail("not_found", "there is no other ticket of this id")
  elseif args.other_id == args.ticket_id then
    return ctx.fail("invalid_link", "a ticket is not linked to itself")
  elseif is_linked(ctx, args) then
    return ctx.fail("already_linked", "the tickets are linked in this way already")
  end
  local row = args
  row.id = ctx.id("link")
  ctx.tables.links:insert(row)
  record(ctx, args.ticket_id, "link", args.type .. " " .. args.other_id)
  return ctx.ok{
    link_id = row.id,
    ticket_id = args.ticket_id,
    type = args.type,
    other_id = args.other_id,
  }
end

local tools = { comment_ticket = comment, attach_file = attach, link_tickets = link }

return function(ctx, args)
  local ticket = ctx.tables.tickets:get(args.ticket_id)
  if not ticket then
    return ctx.fail("not_found", "there is no ticket of this id")
  end
  if ticket.status == "closed" then
    return ctx.fail("ticket_closed", "the ticket is closed; move it to open first")
  end
  return tools[ctx.tool](ctx, args)
end
