return function(ctx, args)
  for _, name in ipairs{ "messages", "drafts", "outbox" } do
    local message = ctx.tables[name]:get(args.id)
    if message then
      return ctx.ok(message)
    end
  end
  return ctx.fail("not_found", "there is no message of this id")
end
