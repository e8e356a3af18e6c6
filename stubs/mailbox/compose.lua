-- All tools that write a message. What is sent is captured in `outbox`, with a copy among the
-- mailbox's own messages, and nobody gets it; a draft is checked like a message that would be sent.
-- `references` are the Message-IDs of the thread, the parent's last.
local address = [[^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$]]
local file_name = [[^[^\x00-\x1f\x7f/\\"]+$]]
local media_type = [[^[A-Za-z0-9][A-Za-z0-9.+-]*/[A-Za-z0-9][A-Za-z0-9.+-]*$]]
local base64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
local own = { ["agent@acme.example"] = true, ["support@acme.example"] = true }

local function find(ctx, id)
  return ctx.tables.messages:get(id) or ctx.tables.drafts:get(id)
end

local function attachment_problem(ctx, attachments)
  local names = {}
  for _, one in ipairs(attachments) do
    if not ctx.text.matches(one.name, file_name) or one.name == "." or one.name == ".." then
      return "an attachment's name is a file name without folders and quotes"
    elseif names[one.name] then
      return "two attachments have the same name"
    elseif not ctx.text.matches(one.media_type, media_type) then
      return "an attachment's media type is like text/plain"
    elseif one.encoding == "base64" and not ctx.text.matches(one.content, base64) then
      return "an attachment's content is not base64"
    end
    names[one.name] = true
  end
end

-- A code and a sentence when the message is not one.
local function problem(ctx, message)
  for _, field in ipairs{ "to", "cc", "bcc" } do
    for i, one in ipairs(message[field]) do
      if not ctx.text.matches(one, address) then
        return "invalid_address", "a recipient is one plain address, without a name: item " .. i
          .. " of `" .. field .. "` is not"
      end
    end
  end
  if ctx.text.matches(message.subject, [[[\x00-\x1f\x7f]|\x{2028}|\x{2029}]]) then
    return "invalid_subject", "a subject is one line"
  end
  local wrong = attachment_problem(ctx, message.attachments)
  if wrong then return "invalid_attachment", wrong end
end

local function with_types(ctx, attachments)
  for _, one in ipairs(attachments or {}) do
    one.encoding = one.encoding or "text"
    one.media_type = one.media_type
      or (one.encoding == "text" and "text/plain" or "application/octet-stream")
  end
  return attachments or ctx.array{}
end

-- A new message of the arguments, which answers `parent` if there is one.
local function compose(ctx, args, parent)
  local id = ctx.id("message")
  local references = ctx.array{}
  if parent then
    for _, before in ipairs(parent.references or {}) do table.insert(references, before) end
    table.insert(references, parent.message_id)
  end
  return {
    id = id,
    thread_id = parent and parent.thread_id or ctx.text.replace(id, "msg_", "thr_"),
    message_id = "<" .. id .. "@mail.acme.example>",
    from = "agent@acme.example",
    to = args.to,
    cc = args.cc or ctx.array{},
    bcc = args.bcc or ctx.array{},
    subject = args.subject,
    date = ctx.now(),
    unread = false,
    body = args.body,
    attachments = with_types(ctx, args.attachments),
    in_reply_to = parent and parent.id or nil,
    references = references,
  }
end

local function send(ctx, message)
  local code, sentence = problem(ctx, message)
  if code then return ctx.fail(code, sentence) end
  message.folder, message.date = "sent", ctx.now()
  ctx.tables.outbox:insert(message)
  ctx.tables.messages:insert(message)
  return ctx.ok{
    id = message.id,
    thread_id = message.thread_id,
    to = message.to,
    cc = message.cc,
    bcc = message.bcc,
    subject = message.subject,
    delivered = false,
  }
end

local function keep(ctx, message)
  local code, sentence = problem(ctx, message)
  if code then return ctx.fail(code, sentence) end
  message.folder = "drafts"
  if ctx.tables.drafts:get(message.id) then
    ctx.tables.drafts:update(message.id, message)
  else
    ctx.tables.drafts:insert(message)
  end
  return ctx.ok{ id = message.id, thread_id = message.thread_id, folder = "drafts" }
end

-- The addresses of the lists, each once, without the mailbox's own and those of `but`.
local function others(ctx, lists, but)
  local found, seen = ctx.array{}, {}
  for _, one in ipairs(but) do seen[one:lower()] = true end
  for _, list in ipairs(lists) do
    for _, one in ipairs(list) do
      if not own[one:lower()] and not seen[one:lower()] then
        seen[one:lower()] = true
        table.insert(found, one)
      end
    end
  end
  return found
end

-- An answer to what the mailbox sent itself goes to those who got it.
local function reply(ctx, args, parent)
  args.to = others(ctx, own[parent.from:lower()] and { parent.to } or { { parent.from } }, {})
  if args.reply_all then args.cc = others(ctx, { parent.to, parent.cc or {} }, args.to) end
  if #args.to == 0 then
    return ctx.fail("no_recipient", "nobody but this mailbox would get the reply")
  end
  local is_reply = ctx.text.matches(parent.subject, "^(?i)re:")
  args.subject = is_reply and parent.subject or "Re: " .. parent.subject
  return send(ctx, compose(ctx, args, parent))
end

-- A forwarded message begins a thread of its own.
local function forward(ctx, args, parent)
  local is_forward = ctx.text.matches(parent.subject, "^(?i)fwd?:")
  args.subject = is_forward and parent.subject or "Fwd: " .. parent.subject
  args.attachments = args.include_attachments and parent.attachments or nil
  args.body = (args.body and args.body .. "\n\n" or "") .. "---------- Forwarded message ----------\n"
    .. "From: " .. parent.from .. "\nDate: " .. parent.date .. "\nSubject: " .. parent.subject
    .. "\nTo: " .. table.concat(parent.to, ", ") .. "\n\n" .. parent.body
  return send(ctx, compose(ctx, args))
end

local function change_draft(ctx, args, draft)
  for _, field in ipairs{ "to", "cc", "bcc", "subject", "body" } do
    draft[field] = args[field] or draft[field]
  end
  if args.attachments then draft.attachments = with_types(ctx, args.attachments) end
  draft.date = ctx.now()
  return keep(ctx, draft)
end

local function use_draft(ctx, args)
  local draft = ctx.tables.drafts:get(args.id)
  if not draft then return ctx.fail("not_found", "there is no draft of this id") end
  if ctx.tool == "update_draft" then return change_draft(ctx, args, draft) end
  ctx.tables.drafts:delete(args.id)
  return send(ctx, draft)
end

return function(ctx, args)
  if ctx.tool == "update_draft" or ctx.tool == "send_draft" then return use_draft(ctx, args) end
  local parent_id = args.in_reply_to or args.id
  local parent = parent_id and find(ctx, parent_id)
  if parent_id and not parent then
    return ctx.fail("not_found", "there is no message of this id to reply to or to forward")
  elseif args.id and parent.folder == "drafts" then
    return ctx.fail("is_draft", "the message is a draft: send_draft sends it")
  elseif ctx.tool == "reply" then
    return reply(ctx, args, parent)
  elseif ctx.tool == "forward" then
    return forward(ctx, args, parent)
  end
  local message = compose(ctx, args, parent)
  return ctx.tool == "draft_message" and keep(ctx, message) or send(ctx, message)
end
