/* From a permitted finalize to its answer, and who receives the result. */

#ifdef WITHOUT_WAIT_FOR_WRITES
#define WAITS_FOR(i) (0)
#else
#define WAITS_FOR(i) (IN_FLIGHT(i) || may_still_act[i])
#endif

/* A write that nobody can promise anything about. */
#define CANNOT_BE_STOPPED(i) \
  (may_still_act[i] && (kind[i] == queryable || kind[i] == unstoppable))

#ifdef WITHOUT_COMMIT_BEFORE_SEND
#define SUBMITTING_ALLOWS_SENDING (1)
#else
#define SUBMITTING_ALLOWS_SENDING (d_result == submitting)
#endif

#ifdef WITHOUT_CLOSING_VOIDS_FINALIZE
#define VOIDED (0)
#else
#define VOIDED (closed)
#endif

inline settle_finalize(step) {
  f_phase = f_settling;
  deadline = 0;
  queue!step
}

proctype finalize() {
end:
  do
  :: STEP {
       up && OPEN && f_phase == f_idle && finalizes < FINALIZES ->
       finalizes++;
       result = sealing;
       f_phase = f_sealing;
       queue!c_sealing;
       printf("finalize: asked for; sealing\n")
     }
  /* A second one after that: the first receipt or a refusal, and nothing is sent. */
  :: STEP {
       up && result == accepted && f_phase == f_idle && finalizes < FINALIZES ->
       finalizes++;
       printf("finalize: asked for again; answered from the record\n")
     }

#ifndef WITHOUT_DEADLINE
  :: STEP {
       up && f_phase == f_sealing && !deadline && ANY_WRITE(WAITS_FOR) ->
       deadline = 1;
       printf("finalize: the deadline of sealing\n")
     }
#endif
  /* Only once everything that can be stopped is. */
  :: STEP {
       up && f_phase == f_sealing && deadline && !ANY_WRITE(UNSTOPPED) &&
           ANY_WRITE(CANNOT_BE_STOPPED) ->
       result = held;
       settle_finalize(c_held);
       printf("finalize: held\n")
     }

  :: STEP {
       up && f_phase == f_sealing && receiver != stub && !ANY_WRITE(WAITS_FOR) ->
       result = submitting;
       f_phase = f_deciding;
       deadline = 0;
       queue!c_submitting;
       printf("finalize: no write is in flight; submitting\n")
     }
  :: STEP {
       up && f_phase == f_deciding && SUBMITTING_ALLOWS_SENDING ->
       if
       :: VOIDED ->
          settle_finalize(c_refused);
          printf("finalize: the run was closed before the result was sent\n")
       :: else ->
          printf("finalize: SENT to the receiver (%e)\n", receiver);
          promise_3 = receipts == 0 && copy != in_transit;
          assert(promise_3);
          closed_stops = !d_closed;
          assert(closed_stops);
          copy = in_transit;
          barred = 1;
          f_phase = f_dispatched
       fi
     }
  /* A stub answers at once; what it did counts once it is durable. */
  :: STEP {
       up && f_phase == f_sealing && receiver == stub && !ANY_WRITE(WAITS_FOR) ->
       printf("finalize: no write is in flight; the stub accepts\n");
       closed_stops = !d_closed;
       assert(closed_stops);
       result = submitting;
       barred = 1;
       settle_finalize(c_accepted)
     }
  :: STEP {
       up && f_phase == f_sealing && receiver == stub && !ANY_WRITE(WAITS_FOR) ->
       printf("finalize: no write is in flight; the stub refuses\n");
       result = submitting;
       barred = 1;
       settle_finalize(c_refused)
     }

  /* Redelivery: under the same key, to a receiver that declares one, of what is on record as
     unknown. */
  :: STEP {
       up && result == unknown && f_phase == f_idle && receiver == keyed &&
           second_copy == no_copy ->
       second_copy = in_transit;
       f_phase = f_dispatched;
       printf("finalize: redelivered under the same key\n")
     }

  /* The answer to what was sent last; or that nobody knows, for instance after a time. */
  :: STEP {
       up && f_phase == f_dispatched && (copy == taken || copy == turned_down) &&
           d_result == submitting ->
       if
       :: copy == taken ->
          settle_finalize(c_accepted);
          printf("finalize: the receiver has accepted\n")
       :: else ->
          settle_finalize(c_refused);
          printf("finalize: the receiver has definitely refused\n")
       fi
     }
  :: STEP {
       up && f_phase == f_dispatched && (second_copy == taken || second_copy == turned_down) &&
           d_result == unknown ->
       if
       :: second_copy == taken ->
          settle_finalize(c_accepted);
          printf("finalize: the receiver has accepted what was redelivered\n")
       :: else ->
#ifdef WITHOUT_FINAL_REFUSAL
          settle_finalize(c_refused);
#else
          settle_finalize(c_refused_for_good);
#endif
          printf("finalize: the receiver has refused what was redelivered\n")
       fi
     }
  :: STEP {
       up && f_phase == f_dispatched ->
       settle_finalize(c_unknown);
       printf("finalize: no answer\n")
     }
  od
}

inline take(which) {
  printf("receiver: ACCEPTS a result\n");
  promise_3 = receipts == 0;
  assert(promise_3);
  receipts++;
  which = taken
}

proctype receive() {
end:
  do
  :: STEP { copy == in_transit && second_copy != taken -> take(copy) }
  :: STEP {
       copy == in_transit ->
       copy = turned_down;
       printf("receiver: refuses a result\n")
     }
  /* The same key: the same answer, or a refusal because it is a repetition. */
  :: STEP { second_copy == in_transit && copy == in_transit -> take(second_copy) }
  :: STEP {
       second_copy == in_transit && copy == taken ->
       second_copy = taken;
       printf("receiver: gives the first receipt again\n")
     }
  :: STEP {
       second_copy == in_transit ->
       second_copy = turned_down;
       printf("receiver: refuses what was redelivered\n")
     }
  od
}
