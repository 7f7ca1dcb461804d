// The proxy.
export { startGateway } from './start-gateway.ts';
export type {
  Gateway,
  GatewayBackend,
  GatewayOptions,
  GatewaySetup,
  ServerStatus,
  SessionModel,
  SessionRequest,
} from './types.ts';
