-- Every folder with how many messages it has.
return function(ctx)
  local folders, by_name = ctx.array{}, {}
  for _, name in ipairs{ "inbox", "drafts", "sent", "archive", "trash", "spam" } do
    by_name[name] = { name = name, total = 0, unread = 0 }
    table.insert(folders, by_name[name])
  end
  for _, table_name in ipairs{ "messages", "drafts" } do
    for _, message in ipairs(ctx.tables[table_name]:rows()) do
      local folder = by_name[message.folder]
      folder.total = folder.total + 1
      folder.unread = folder.unread + (message.unread and 1 or 0)
    end
  end
  return ctx.ok{ folders = folders }
end
