export { createInbound } from './inbound';
export { explain } from './explain';
export { createOutbound, type Send } from './outbound';
export {
  createLines,
  type Lines,
  type Making,
  type Outcome,
  type Pass,
  type PassedCall,
} from './pass';
