#include "mediator/host/commit_points.h"

#include "mediator/base/crash_point.h"

namespace tipstaff::host {
namespace {

using base::CrashPoint;
using call::RecordKind;

struct Points {
  RecordKind kind;
  CrashPoint before, after;
};

// run_opened is mediator.cc's; after cleaned comes closed in one commit.
const Points kPoints[] = {
    {RecordKind::kDecided, CrashPoint("decided: before its commit"),
     CrashPoint("decided: committed")},
    {RecordKind::kDispatched, CrashPoint("dispatched: before its commit"),
     CrashPoint("dispatched: committed")},
    {RecordKind::kOutcome, CrashPoint("outcome: before its commit"),
     CrashPoint("outcome: committed")},
    {RecordKind::kHeld, CrashPoint("held: before its commit"), CrashPoint("held: committed")},
    {RecordKind::kApproval, CrashPoint("approval: before its commit"),
     CrashPoint("approval: committed")},
    {RecordKind::kSealing, CrashPoint("sealing: before its commit"),
     CrashPoint("sealing: committed")},
    {RecordKind::kSubmitting, CrashPoint("submitting: before its commit"),
     CrashPoint("submitting: committed")},
    {RecordKind::kAccepted, CrashPoint("accepted: before its commit"),
     CrashPoint("accepted: committed")},
    {RecordKind::kRefused, CrashPoint("refused: before its commit"),
     CrashPoint("refused: committed")},
    {RecordKind::kUnknown, CrashPoint("unknown: before its commit"),
     CrashPoint("unknown: committed")},
    {RecordKind::kResolved, CrashPoint("resolved: before its commit"),
     CrashPoint("resolved: committed")},
    {RecordKind::kExpired, CrashPoint("expired: before its commit"),
     CrashPoint("expired: committed")},
    {RecordKind::kRevoked, CrashPoint("revoked: before its commit"),
     CrashPoint("revoked: committed")},
    {RecordKind::kClosing, CrashPoint("closing: before its commit"),
     CrashPoint("closing: committed")},
    {RecordKind::kClosed, CrashPoint("closed: before its commit"), CrashPoint("closed: committed")},
};

const Points* Of(RecordKind kind) {
  for (const Points& points : kPoints) {
    if (points.kind == kind) return &points;
  }
  return nullptr;
}

}  // namespace

void PassBeforeCommit(RecordKind last) {
  if (const Points* points = Of(last)) points->before.Pass();
}

void PassAfterCommit(RecordKind last) {
  if (const Points* points = Of(last)) points->after.Pass();
}

}  // namespace tipstaff::host
