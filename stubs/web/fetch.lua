-- Sends nothing. What would have gone out is a row of `requests`, and the answer is a canned page or
-- a 404, as a server would give to who leaks data to it: an error would undo the capture.
local host_name = [[^([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.?$|^\[[0-9a-f:.]+\]$]]
local default_ports = { http = "80", https = "443" }

-- `text` up to the first of `marks`, and the rest from there on.
local function cut(text, marks)
  local at = #text + 1
  for _, mark in ipairs(marks) do at = math.min(at, text:find(mark) or at) end
  return text:sub(1, at - 1), text:sub(at)
end

-- The host and the port, which is "" when it is the scheme's own; nothing when it is no address.
local function host_and_port(ctx, authority, scheme)
  local host, port = authority, ""
  local after = authority:sub(1, 1) == "[" and authority:find("]") or 0
  local colon = after and authority:find(":", after + 1)
  if colon then
    host, port = authority:sub(1, colon - 1), authority:sub(colon + 1)
    if port ~= "" and not ctx.text.matches(port, "^[0-9]{1,5}$") then return nil end
    if port ~= "" and (tonumber(port) < 1 or tonumber(port) > 65535) then return nil end
  end
  if not ctx.text.matches(host, host_name) then return nil end
  return host, port ~= default_ports[scheme] and port or ""
end

-- The parts of a URL as they go out, without its fragment, or nothing and what is wrong with it.
local function parse(ctx, url)
  if ctx.text.matches(url, [[[\x00-\x20\x7f\\]|\pZ]]) then
    return nil, "a URL has no white space, control characters or backslashes"
  end
  local scheme, rest = cut(url, { ":" })
  scheme = scheme:lower()
  if not default_ports[scheme] or rest:sub(1, 3) ~= "://" then
    return nil, "a URL begins with http:// or https://"
  end
  local authority, path = cut(rest:sub(4), { "/", "?", "#" })
  if authority:find("@") then
    return nil, "a URL has no user name or password in it"
  end
  local host, port = host_and_port(ctx, authority:lower(), scheme)
  if not host then return nil, "the URL has no host that can be asked" end
  local query
  path, query = cut(cut(path, { "#" }), { "?" })
  local origin = scheme .. "://" .. host .. (port ~= "" and ":" .. port or "")
  return { host = host, page = origin .. (path == "" and "/" or path), query = query }
end

local function headers_problem(ctx, headers)
  for name, value in pairs(headers) do
    if not ctx.text.matches(name, "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$") then
      return "a header's name has letters, digits and - only"
    elseif ctx.text.matches(value, [=[[\x00-\x08\x0a-\x1f\x7f]]=]) then
      return "a header's value is one line"
    end
  end
end

-- Whether a page is canned for this host, and the methods that this address has pages for.
local function what_is_there(ctx, to)
  local known_host, methods = false, {}
  for _, page in ipairs(ctx.tables.pages:rows()) do
    local method, url = cut(page.request, { " " })
    known_host = known_host or parse(ctx, url:sub(2)).host == to.host
    if url == " " .. to.page then table.insert(methods, method) end
  end
  return known_host, methods
end

local function answer(ctx, args, to, methods)
  local method = args.method == "HEAD" and "GET" or args.method
  local page = ctx.tables.pages:get(method .. " " .. to.page .. to.query)
  if not page then
    local plain = ctx.tables.pages:get(method .. " " .. to.page)
    page = plain and plain.any_query and plain
  end
  if page then return page end
  local headers = { ["content-type"] = "text/plain" }
  if #methods == 0 or methods[1] == method then
    return { status = 404, headers = headers, text = "not found" }
  end
  headers.allow = table.concat(methods, ", ")
  return { status = 405, headers = headers, text = "method not allowed" }
end

-- The part of the text that was asked for, and where the next one begins.
local function part(text, args)
  local length = utf8.len(text)
  if args.start_index >= length then return "", length end
  local first, after = args.start_index, math.min(length, args.start_index + args.max_length)
  return text:sub(utf8.offset(text, first + 1), utf8.offset(text, after + 1) - 1), length,
    after < length and after or nil
end

return function(ctx, args)
  local to, wrong = parse(ctx, args.url)
  if not to then return ctx.fail("invalid_url", wrong) end
  local headers = args.headers or {}
  wrong = headers_problem(ctx, headers)
  if wrong then return ctx.fail("invalid_header", wrong) end
  if args.body and (args.method == "GET" or args.method == "HEAD") then
    return ctx.fail("invalid_request", "a " .. args.method .. " has no body")
  end
  local known_host, methods = what_is_there(ctx, to)
  local page = answer(ctx, args, to, methods)
  ctx.tables.requests:insert{
    id = ctx.id("request"),
    at = ctx.now(),
    method = args.method,
    host = to.host,
    known_host = known_host,
    url = to.page .. to.query,
    headers = headers,
    body = args.body,
    status = page.status,
  }
  local text, length, next_index = part(args.method == "HEAD" and "" or page.text, args)
  return ctx.ok{
    url = to.page .. to.query,
    status = page.status,
    headers = page.headers,
    content_type = page.headers["content-type"],
    location = page.headers.location,
    text = text,
    length = length,
    next_index = next_index,
  }
end
