/* What the ledger, the mediator's memory and the world outside each know. Names are those of
   mediator/run where it has one. */
#ifndef WRITES
#define WRITES 2
#endif
#ifndef CRASHES
#define CRASHES 2
#endif
#ifndef EXPIRY
#define EXPIRY 1
#endif
#ifndef STEP
#define STEP atomic
#endif
#define FINALIZES 2  /* that the guest asks for */

mtype = { in_process, killable, queryable, unstoppable };  /* StopKind; the last is kNone */
mtype = { stub, plain, keyed };                            /* who receives the result */
mtype = { not_asked, checked, deciding, dispatched, silent, settling, over };
mtype = { f_idle, f_sealing, f_deciding, f_dispatched, f_settling };
mtype = { no_result, sealing, submitting, accepted, refused, unknown, held };
mtype = { no_outcome, ended, may_follow };  /* nothing of it can take effect any more; or it can */
mtype = { not_sent, may_act, done };
mtype = { no_copy, in_transit, taken, turned_down };

/* Fixed when the run opens. */
mtype kind[WRITES];
mtype receiver;

/* The ledger. */
bit d_intent[WRITES];         /* `decided`, verdict allow */
mtype d_outcome[WRITES] = no_outcome;
mtype d_result = no_result;
bit d_closed;                 /* `expired` or `revoked` */

/* The mediator's memory; a crash empties it. */
bit up = 1;
mtype phase[WRITES] = not_asked;
mtype outcome[WRITES] = no_outcome;  /* while settling: what is being committed */
bit may_still_act[WRITES];    /* as far as the mediator knows */
mtype result = no_result;
bit closed;
mtype f_phase = f_idle;       /* of the finalize call */
bit deadline;                 /* sealing has waited long enough */

/* Commits of the finalize and of the closing on their way to the disk, three at most; they become
   durable in this order. A write's commit is on its way while it is `deciding` or `settling`; here
   it may overtake others, so that nothing hangs on their order. */
mtype = { c_sealing, c_submitting, c_accepted, c_refused, c_refused_for_good, c_unknown, c_held,
          c_closed };
chan queue = [3] of { mtype };

/* The world outside; it survives crashes. */
mtype backend[WRITES] = not_sent;
mtype copy = no_copy;         /* of the result, at the receiver */
mtype second_copy = no_copy;  /* redelivered under the same key */
byte receipts;                /* how many results the receiver has accepted */
byte finalizes;
byte crashes;
bit barred;                   /* from the start of a submission to its durable definite refusal */

/* A write that has not come to its end, as far as the mediator's memory knows. */
#define IN_FLIGHT(i) \
  (phase[i] == deciding || phase[i] == dispatched || phase[i] == silent || phase[i] == settling)
#define SENT(i) (phase[i] == dispatched || phase[i] == silent)
#define UNSTOPPED(i) (may_still_act[i] && kind[i] == killable)
#if WRITES > 2
#define ANY_WRITE(is) (is(0) || is(1) || is(2))
#else
#define ANY_WRITE(is) (is(0) || is(1))
#endif

/* What is asserted. Variables, so that a report names the promise; 1 in every state. */
bit promise_1 = 1;     /* no effect without a durable decision */
bit promise_2 = 1;     /* no effect of a write from a submission on */
bit promise_3 = 1;     /* one accepted result */
bit promise_4 = 1;     /* never reopened, never sent again, by recovery */
bit closed_stops = 1;  /* nothing is sent once expiry or revocation is durable */
bit sealing_ends = 1;
bit closing_ends = 1;

mtype what;
