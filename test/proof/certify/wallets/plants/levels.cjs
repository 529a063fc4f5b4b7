'use strict';

// How far a mistake breaks the protocol: plants.cjs says what the levels mean.
const required = (rule, wrong) => ({ level: 'required', rule, wrong });
const advisory = (rule, wrong) => ({ level: 'advisory', rule, wrong });
const loaded = (plant) => ({ ...plant, loaded: true });
const legal = (rule, wrong) => ({ level: 'legal', rule, wrong });

module.exports = { advisory, legal, loaded, required };
