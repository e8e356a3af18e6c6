// The checks, one after the other; examine.cc has the table.
#pragma once

#include "mediator/doctor/examine.h"

namespace tipstaff::doctor {

void CheckGuestProgram(Examination& e);
void CheckGateProgram(Examination& e);
void CheckClient(Examination& e);
void CheckSocket(Examination& e);
void CheckToken(Examination& e);
void CheckProtocol(Examination& e);
void CheckNames(Examination& e);
void CheckConfiguration(Examination& e);
void CheckMediator(Examination& e);
void CheckLedger(Examination& e);
void CheckDisk(Examination& e);
void CheckConfinement(Examination& e);
void CheckUpstreams(Examination& e);

// Of CheckClient: what stands under our name in the configuration.
void CheckEntry(Examination& e, json::Value entry);

}  // namespace tipstaff::doctor
