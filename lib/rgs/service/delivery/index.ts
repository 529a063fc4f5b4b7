export {
  createDelivery,
  type Delivery,
  type DeliveryParts,
  type How,
  type RoundName,
  type InFlight,
} from './queues';
