import { describeDockerConformance } from './_conformance.ts';

describeDockerConformance('hermes-test/debian:1', 'go');
