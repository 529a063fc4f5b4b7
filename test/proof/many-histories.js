// The slow tests play 2,000 histories where the fast ones play a few, unless HISTORIES says how many.
process.env.HISTORIES ??= '2000';
