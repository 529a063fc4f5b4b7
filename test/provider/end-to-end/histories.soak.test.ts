import { threePartyHistories } from './histories';

threePartyHistories(2_000);
