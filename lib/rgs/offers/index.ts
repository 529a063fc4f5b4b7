export { discountFor, type Stake, ticketFor } from './pick';
