return function(ctx, args)
  local ticket = ctx.tables.tickets:get(args.ticket_id)
  if not ticket then
    return ctx.fail("not_found", "there is no ticket of this id")
  end
  ticket.comments = ctx.tables.comments:find{ ticket_id = args.ticket_id }
  table.sort(ticket.comments, function(a, b) return a.at < b.at end)
  return ctx.ok(ticket)
end
