import { describeDockerConformance } from './_conformance.ts';

describeDockerConformance('hermes-test/busybox:1', 'go');
