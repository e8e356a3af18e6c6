return function(ctx, args)
  return ctx.ok(ctx.tables.done:insert{ id = ctx.id("done"), args = args })
end
