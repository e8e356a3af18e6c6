-- Both list_messages (of one folder) and search_messages (in all). What this run wrote is in
-- `drafts` and `outbox`, everything older in `messages`.
local function newest_first(a, b)
  return a.date > b.date
end

local function summary(ctx, message)
  local line = ctx.text.replace(ctx.text.trim(message.body), "\n", " ")
  local cut = utf8.offset(line, 81)
  return {
    id = message.id,
    folder = message.folder,
    from = message.from,
    to = message.to,
    subject = message.subject,
    date = message.date,
    unread = message.unread,
    snippet = cut and line:sub(1, cut - 1) or line,
  }
end

local function is_wanted(ctx, message, args)
  if args.query then
    return ctx.text.contains(message.subject, args.query)
      or ctx.text.contains(message.body, args.query)
      or ctx.text.contains(message.from, args.query)
  end
  return message.folder == args.folder
end

return function(ctx, args)
  local found = {}
  for _, name in ipairs{ "messages", "drafts", "outbox" } do
    for _, message in ipairs(ctx.tables[name]:rows()) do
      if is_wanted(ctx, message, args) then
        table.insert(found, message)
      end
    end
  end
  table.sort(found, newest_first)
  local messages = ctx.array{}
  for i = 1, math.min(#found, args.limit) do
    messages[i] = summary(ctx, found[i])
  end
  return ctx.ok{ messages = messages, total = #found }
end
