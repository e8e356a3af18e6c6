-- What shows messages in full: read_message, get_thread, list_attachments and read_attachment. None
-- of them marks anything as read: they are reads.
local function bytes_of(attachment)
  if attachment.encoding == "text" then return #attachment.content end
  local padding = attachment.content:find("=")
  return #attachment.content // 4 * 3 - (padding and #attachment.content - padding + 1 or 0)
end

-- With what is attached in place of its content.
local function shown(ctx, message)
  local attachments = ctx.array{}
  for i, attachment in ipairs(message.attachments or {}) do
    attachments[i] = {
      name = attachment.name,
      media_type = attachment.media_type,
      bytes = bytes_of(attachment),
    }
  end
  message.attachments = attachments
  message.cc = message.cc or ctx.array{}
  message.references = message.references or ctx.array{}
  return message
end

local function thread(ctx, id)
  local found = ctx.tables.messages:find{ thread_id = id }
  for _, draft in ipairs(ctx.tables.drafts:find{ thread_id = id }) do
    table.insert(found, draft)
  end
  table.sort(found, function(a, b)
    if a.date ~= b.date then return a.date < b.date end
    return a.id < b.id
  end)
  for i, message in ipairs(found) do found[i] = shown(ctx, message) end
  return found
end

local function attachment_of(message, name)
  for _, attachment in ipairs(message.attachments or {}) do
    if attachment.name == name then
      attachment.id = message.id
      attachment.bytes = bytes_of(attachment)
      return attachment
    end
  end
end

return function(ctx, args)
  if ctx.tool == "get_thread" then
    local messages = thread(ctx, args.thread_id)
    if #messages == 0 then return ctx.fail("not_found", "there is no thread of this id") end
    return ctx.ok{ thread_id = args.thread_id, subject = messages[1].subject, messages = messages }
  end
  local message = ctx.tables.messages:get(args.id) or ctx.tables.drafts:get(args.id)
  if not message then return ctx.fail("not_found", "there is no message of this id") end
  if ctx.tool == "list_attachments" then
    return ctx.ok{ id = args.id, attachments = shown(ctx, message).attachments }
  end
  if ctx.tool == "read_attachment" then
    local attachment = attachment_of(message, args.name)
    if attachment then return ctx.ok(attachment) end
    return ctx.fail("not_found", "the message has no attachment of this name")
  end
  return ctx.ok(shown(ctx, message))
end
