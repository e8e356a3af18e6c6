return function(ctx, args)
  return ctx.ok{ waited = args.label }
end
