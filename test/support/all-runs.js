// The soak tier plays every case where the others play a few (test/support/runs.ts).
process.env.ALL_RUNS ??= 'yes';
