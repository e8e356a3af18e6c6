-- The receiver checks for itself, as a real one would: it does not count on what stands before it.
local fields = { report_id = true, severity = true, summary = true }
local severities = { none = true, low = true, medium = true, high = true, critical = true }

return function(ctx, args)
  for name in pairs(args) do
    if not fields[name] then
      return ctx.fail("unknown_field", "a result has no field `" .. name .. "`")
    end
  end
  if args.report_id ~= ctx.run.bindings.report_id then
    return ctx.fail("wrong_report", "this run is not about report `" .. args.report_id .. "`")
  end
  local report = ctx.tables.reports:get(args.report_id)
  if not report or report.tenant ~= ctx.run.bindings.tenant then
    return ctx.fail("not_found", "there is no report of this id")
  end
  if not severities[args.severity] then
    return ctx.fail("unknown_severity", "severity is one of none, low, medium, high and critical")
  end
  if ctx.text.trim(args.summary) == "" then
    return ctx.fail("empty_summary", "a result needs a summary")
  end
  if ctx.tables.results:get(args.report_id) then
    return ctx.fail("already_submitted", "a result for this report was accepted before")
  end
  local receipt = ctx.id("receipt")
  ctx.tables.results:insert{
    report_id = args.report_id,
    severity = args.severity,
    summary = args.summary,
    receipt_id = receipt,
    at = ctx.now(),
  }
  return ctx.ok{ receipt_id = receipt, report_id = args.report_id, accepted = true }
end
