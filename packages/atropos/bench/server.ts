/** The server that is measured: `DIRECTORY PORT`. */
import { createTrajectoryServer } from '../src/index.ts';

const [directory = '', port = ''] = process.argv.slice(2);
await createTrajectoryServer({ directory, port: Number(port) });
