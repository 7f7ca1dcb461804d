/** The server that the proof kills: `DIRECTORY PORT`. Says `ready` once it listens. */
import { createTrajectoryServer } from '@hermes/atropos';

const [directory = '', port = ''] = process.argv.slice(2);
await createTrajectoryServer({ directory, port: Number(port), rewriteBytes: 8 * 1024 });
process.stdout.write('ready\n');
