-- Evidence goes to a report that exists and that the run's tenant owns.
return function(ctx, args)
  local report = ctx.tables.reports:get(args.report_id)
  local tenant = ctx.run.bindings.tenant
  if not report or report.tenant ~= tenant then
    return ctx.fail("not_found", "there is no report of this id")
  end
  local evidence = ctx.tables.evidence:insert{
    id = ctx.id("evidence"),
    report_id = args.report_id,
    name = args.name,
    content = args.content,
    at = ctx.now(),
  }
  return ctx.ok{
    evidence_id = evidence.id,
    report_id = evidence.report_id,
    name = evidence.name,
    bytes = #evidence.content,
  }
end
