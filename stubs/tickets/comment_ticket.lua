return function(ctx, args)
  local ticket = ctx.tables.tickets:get(args.ticket_id)
  if not ticket then
    return ctx.fail("not_found", "there is no ticket of this id")
  end
  if ticket.status == "closed" then
    return ctx.fail("ticket_closed", "the ticket is closed; move it to open first")
  end
  local comment = ctx.tables.comments:insert{
    id = ctx.id("comment"),
    ticket_id = args.ticket_id,
    author = "agent@acme.example",
    body = args.body,
    at = ctx.now(),
  }
  ctx.tables.tickets:update(args.ticket_id, { updated_at = ctx.now() })
  return ctx.ok(comment)
end
