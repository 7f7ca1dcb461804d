export const memoryProviderId = 'memory';
export const memoryUser = 'memory';
export const defaultWorkdir = '/workspace';
