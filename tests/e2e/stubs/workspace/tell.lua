return function(ctx, args)
  return ctx.ok{ args = args }
end
