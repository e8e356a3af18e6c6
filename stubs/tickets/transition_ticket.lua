local allowed = {
  open = { "in_progress" },
  in_progress = { "resolved", "open" },
  resolved = { "closed", "open" },
  closed = { "open" },
}

return function(ctx, args)
  local ticket = ctx.tables.tickets:get(args.ticket_id)
  if not ticket then
    return ctx.fail("not_found", "there is no ticket of this id")
  end
  for _, status in ipairs(allowed[ticket.status]) do
    if status == args.status then
      ctx.tables.tickets:update(args.ticket_id, { status = status, updated_at = ctx.now() })
      return ctx.ok{ ticket_id = args.ticket_id, from = ticket.status, status = status }
    end
  end
  return ctx.fail("invalid_transition", "a ticket that is " .. ticket.status .. " can become "
    .. table.concat(allowed[ticket.status], " or ") .. ", not " .. args.status)
end
