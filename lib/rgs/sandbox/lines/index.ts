export { createInbound, type Inbound } from './inbound';
export { explain } from './explain';
export { createOutbound, type Send } from './outbound';
export {
  createLines,
  type LinePorts,
  type Lines,
  type Making,
  type Outcome,
  type Pass,
  type PassedCall,
} from './pass';
