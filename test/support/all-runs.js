// The slow tests play every case of a property where the fast ones play a twentieth.
process.env.ALL_RUNS ??= 'yes';
