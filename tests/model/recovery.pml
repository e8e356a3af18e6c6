/* The end of a run's access, the mediator's death, and its return. */

inline recover_write(i) {
  if
  :: !d_intent[i]
  :: else ->
     /* What ran in a process of the run's own is gone before anything else happens. */
     if
     :: kind[i] == killable && backend[i] == may_act -> backend[i] = done
     :: else
     fi;
#if defined(WITHOUT_UNKNOWN_ON_RECOVERY)
     if
     :: d_outcome[i] == no_outcome -> settle(i, ended)
     :: else -> phase[i] = over
     fi
#elif defined(WITHOUT_ONE_SENDING)
     if
     :: d_outcome[i] == no_outcome -> phase[i] = deciding
     :: else -> phase[i] = over; may_still_act[i] = d_outcome[i] != ended && kind[i] != killable
     fi
#else
     may_still_act[i] = d_outcome[i] != ended && kind[i] != killable;
     if
     :: d_outcome[i] == no_outcome && kind[i] == killable -> settle(i, ended)
     :: d_outcome[i] == no_outcome && kind[i] != killable -> settle(i, may_follow)
     :: else -> phase[i] = over
     fi
#endif
  fi
}

inline forget_write(i) {
  phase[i] = not_asked;
  outcome[i] = no_outcome;
  may_still_act[i] = 0
}

proctype recovery() {
end:
  do
  :: STEP {
       EXPIRY && up && !closed ->
       closed = 1;
       queue!c_closed;
       printf("run: expires or is revoked\n");
       if
       :: f_phase == f_sealing && VOIDED -> settle_finalize(c_refused)
       :: else
       fi
     }

  :: STEP {
       up && crashes < CRASHES ->
       crashes++;
       up = 0;
       printf("mediator: CRASHES\n");
       do
       :: len(queue) > 0 -> queue?what
       :: else -> break
       od;
       what = 0;
       forget_write(0);
       forget_write(1);
#if WRITES > 2
       forget_write(2);
#endif
       result = no_result;
       closed = 0;
       f_phase = f_idle;
       deadline = 0;
       /* What a stub did and is not on record never was. */
       if
       :: receiver == stub -> barred = d_result == accepted
       :: else
       fi
     }

  :: STEP {
       !up ->
       up = 1;
       printf("mediator: starts again\n");
       closed = d_closed;
       result = d_result;
       recover_write(0);
       recover_write(1);
#if WRITES > 2
       recover_write(2);
#endif
       if
       :: d_result == sealing && VOIDED -> settle_finalize(c_refused)
       :: d_result == sealing && !VOIDED -> f_phase = f_sealing
       :: d_result == submitting -> settle_finalize(c_unknown)
       :: else
       fi;
       promise_4 = (d_result == no_result && !d_closed) || !OPEN;
       assert(promise_4)
     }
  od
}
