-- mark_read and move_message. A draft stays where it is until it is sent or deleted.
return function(ctx, args)
  local message = ctx.tables.messages:get(args.id)
  if not message and ctx.tables.drafts:get(args.id) then
    return ctx.fail("is_draft", "the message is a draft: send_draft and delete_draft are for drafts")
  end
  if not message then return ctx.fail("not_found", "there is no message of this id") end
  if ctx.tool == "mark_read" then
    ctx.tables.messages:update(args.id, { unread = not args.read })
    return ctx.ok{ id = args.id, unread = not args.read }
  end
  ctx.tables.messages:update(args.id, { folder = args.folder })
  return ctx.ok{ id = args.id, from = message.folder, folder = args.folder }
end
