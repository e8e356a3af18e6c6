-- get_ticket and get_history.
local function in_time(rows)
  table.sort(rows, function(a, b) return a.at < b.at end)
  return rows
end

-- Links in both directions, each as this ticket has it.
local backwards = { blocks = "is_blocked_by", duplicates = "is_duplicated_by", relates = "relates" }

local function links_of(ctx, id)
  local links = ctx.array{}
  local function add(type, other)
    local ticket = ctx.tables.tickets:get(other)
    table.insert(links, { type = type, ticket_id = other, title = ticket.title, status = ticket.status })
  end
  for _, link in ipairs(ctx.tables.links:find{ ticket_id = id }) do add(link.type, link.other_id) end
  for _, link in ipairs(ctx.tables.links:find{ other_id = id }) do
    add(backwards[link.type], link.ticket_id)
  end
  return links
end

local function attachments_of(ctx, id)
  local attachments = ctx.array{}
  for i, one in ipairs(ctx.tables.attachments:find{ ticket_id = id }) do
    attachments[i] = { id = one.id, name = one.name, media_type = one.media_type, bytes = one.bytes }
  end
  return attachments
end

return function(ctx, args)
  local ticket = ctx.tables.tickets:get(args.ticket_id)
  if not ticket then
    return ctx.fail("not_found", "there is no ticket of this id")
  end
  if ctx.tool == "get_history" then
    return ctx.ok{
      ticket_id = ticket.id,
      changes = in_time(ctx.tables.history:find{ ticket_id = ticket.id }),
    }
  end
  ticket.comments = in_time(ctx.tables.comments:find{ ticket_id = ticket.id })
  ticket.links = links_of(ctx, ticket.id)
  ticket.attachments = attachments_of(ctx, ticket.id)
  return ctx.ok(ticket)
end
