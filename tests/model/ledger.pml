/* The disk, for the finalize and the closing: the oldest commit becomes durable, and the mediator's
   memory follows. Writes have theirs in write.pml. */

inline durable_result(now) {
  d_result = now;
  result = now;
  f_phase = f_idle
}

proctype ledger() {
end:
  do
  :: STEP {
       up && len(queue) > 0 ->
       queue?what;
       printf("ledger: %e is durable\n", what);
       if
       :: what == c_sealing -> d_result = sealing
       :: what == c_submitting -> d_result = submitting; barred = 1
       :: what == c_accepted ->
          if
          :: receiver == stub ->
             promise_3 = receipts == 0;
             assert(promise_3);
             receipts++
          :: else
          fi;
          durable_result(accepted)
       :: what == c_refused -> barred = 0; durable_result(no_result)
       :: what == c_refused_for_good -> durable_result(refused)
       :: what == c_unknown -> durable_result(unknown)
       :: what == c_held -> durable_result(held)
       :: what == c_closed -> d_closed = 1
       fi;
       what = 0
     }
  od
}
