-- Both list_messages (of one folder) and search_messages (in all). Drafts are in `drafts`, all other
-- mail in `messages`. A cursor is the id of the last message shown, so that new mail moves nothing.
local function any(ctx, list, text)
  for _, item in ipairs(list or {}) do
    if ctx.text.contains(item, text) then return true end
  end
  return false
end

local function has_recipient(ctx, message, text)
  return any(ctx, message.to, text) or any(ctx, message.cc, text) or any(ctx, message.bcc, text)
end

-- What stands before the colon: whether its value is one, and whether a message matches.
local day = [[^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$]]
local operators = {
  from = { ".", function(ctx, m, v) return ctx.text.contains(m.from, v) end },
  to = { ".", has_recipient },
  subject = { ".", function(ctx, m, v) return ctx.text.contains(m.subject, v) end },
  ["in"] = { "^(inbox|drafts|sent|archive|trash|spam)$", function(_, m, v) return m.folder == v end },
  is = { "^(unread|read)$", function(_, m, v) return m.unread == (v == "unread") end },
  has = { "^attachment$", function(_, m) return m.attachments ~= nil and #m.attachments > 0 end },
  after = { day, function(_, m, v) return m.date >= v end },
  before = { day, function(_, m, v) return m.date < v end },
}

local function has_words(ctx, message, words)
  return ctx.text.contains(message.subject, words) or ctx.text.contains(message.body, words)
    or ctx.text.contains(message.from, words) or has_recipient(ctx, message, words)
end

-- The query's parts at white space outside quotes; nothing when a quote is left open. `colon` is
-- where an operator ends that stands outside quotes.
local function parts_of(query)
  local parts, part, quoted = {}, nil, false
  for _, code in utf8.codes(query .. " ") do
    local is_space = code == 32 or (code >= 9 and code <= 13)
    if is_space and not quoted then
      if part then table.insert(parts, part) end
      part = nil
    else
      part = part or { text = "" }
      if code == 34 then
        quoted = not quoted
      else
        part.text = part.text .. utf8.char(code)
        if code == 58 and not quoted then part.colon = part.colon or #part.text end
      end
    end
  end
  return not quoted and parts or nil
end

-- A list of conditions {matches, value}, or nothing and what is wrong.
local function conditions_of(ctx, query)
  local conditions, names_folder = {}, false
  local parts = parts_of(query)
  if not parts then return nil, "a quote in the query is not closed" end
  for _, part in ipairs(parts) do
    local name = part.colon and part.text:sub(1, part.colon - 1):lower()
    local operator = name and operators[name == "folder" and "in" or name]
    local value = operator and part.text:sub(part.colon + 1) or part.text
    if value == "" or (operator and not ctx.text.matches(value, operator[1])) then
      return nil, "`" .. (operator and name .. ":" or '""') .. "` has no value that it knows"
    end
    names_folder = names_folder or (operator ~= nil and operator == operators["in"])
    table.insert(conditions, { operator and operator[2] or has_words, value })
  end
  if #conditions == 0 then return nil, "the query has no words" end
  if not names_folder then
    table.insert(conditions, { function(_, m) return m.folder ~= "spam" and m.folder ~= "trash" end })
  end
  return conditions
end

-- Those of one folder, or of all.
local function matching(ctx, folder, conditions)
  local found, where = {}, { folder = folder }
  for _, name in ipairs{ "messages", "drafts" } do
    for _, message in ipairs(ctx.tables[name]:find(where)) do
      local all = true
      for _, condition in ipairs(conditions) do
        all = all and condition[1](ctx, message, condition[2])
      end
      if all then table.insert(found, message) end
    end
  end
  table.sort(found, function(a, b)
    if a.date ~= b.date then return a.date > b.date end
    return a.id > b.id
  end)
  return found
end

local function summary(ctx, message)
  local line = ctx.text.replace(ctx.text.trim(message.body), "\n", " ")
  local cut = utf8.offset(line, 81)
  return {
    id = message.id,
    thread_id = message.thread_id,
    folder = message.folder,
    from = message.from,
    to = message.to,
    subject = message.subject,
    date = message.date,
    unread = message.unread,
    has_attachments = message.attachments ~= nil and #message.attachments > 0,
    snippet = cut and line:sub(1, cut - 1) or line,
  }
end

return function(ctx, args)
  local conditions, problem = {}, nil
  if args.query then
    conditions, problem = conditions_of(ctx, args.query)
  elseif args.unread_only then
    conditions = { { function(_, m) return m.unread end } }
  end
  if problem then return ctx.fail("invalid_query", problem) end
  local found, first = matching(ctx, args.folder, conditions), 1
  if args.cursor then
    while first <= #found and found[first].id ~= args.cursor do first = first + 1 end
    if first > #found then
      return ctx.fail("invalid_cursor", "the cursor is of no page of this list: start without one")
    end
    first = first + 1
  end
  local messages, last = ctx.array{}, math.min(#found, first + args.limit - 1)
  for i = first, last do messages[i - first + 1] = summary(ctx, found[i]) end
  return ctx.ok{
    messages = messages,
    total = #found,
    next_cursor = last < #found and found[last].id or nil,
  }
end
