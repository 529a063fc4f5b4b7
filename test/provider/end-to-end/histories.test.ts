import { threePartyHistories } from './histories';

threePartyHistories(25);
