/** Makes one sandbox, prints its id, and stays. */
import { create, openProvider } from './_docker.ts';

const sandbox = await create(await openProvider(), { lifetimeMs: Number(process.argv[2]) });
process.stdout.write(`${sandbox.ref.id}\n`);
setInterval(() => undefined, 1000);
