export {
  type ConformanceOptions,
  describeSandboxConformance,
} from './describe-sandbox-conformance.ts';
