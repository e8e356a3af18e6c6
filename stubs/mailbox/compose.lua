-- Both send_message and draft_message. What is sent is captured in `outbox` and nobody gets it; a
-- draft is checked like a message that would.
local address = [[^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$]]

local function exists(ctx, id)
  return ctx.tables.messages:get(id) or ctx.tables.drafts:get(id) or ctx.tables.outbox:get(id)
end

return function(ctx, args)
  for _, to in ipairs(args.to) do
    if not ctx.text.matches(to, address) then
      return ctx.fail("invalid_address", "a recipient is one plain address, without a name")
    end
  end
  if args.subject:find("\r") or args.subject:find("\n") then
    return ctx.fail("invalid_subject", "a subject is one line")
  end
  if args.in_reply_to and not exists(ctx, args.in_reply_to) then
    return ctx.fail("not_found", "there is no message to reply to of this id")
  end
  local is_draft = ctx.tool == "draft_message"
  local message = {
    id = ctx.id("message"),
    folder = is_draft and "drafts" or "sent",
    from = "agent@acme.example",
    to = args.to,
    subject = args.subject,
    date = ctx.now(),
    unread = false,
    body = args.body,
    in_reply_to = args.in_reply_to,
  }
  if is_draft then
    ctx.tables.drafts:insert(message)
    return ctx.ok{ id = message.id, folder = "drafts" }
  end
  ctx.tables.outbox:insert(message)
  return ctx.ok{ id = message.id, to = message.to, delivered = false }
end
