import { json, text } from './answers.ts';
import { batch, latestExample } from './batch-routes.ts';
import { metricsText } from './metrics-text.ts';
import { disconnect, registerEnvironment, registerTrainer, reset } from './registering-routes.ts';
import type { Route } from './route.ts';
import { scoredData, scoredDataList } from './sending-routes.ts';
import { info, status, statusOfEnvironment } from './status-routes.ts';

/** The API by path. */
export const routes: Readonly<Record<string, Route>> = {
  '/': { methods: ['GET'], serve: () => json({ message: 'AtroposLib API' }) },
  '/register': { methods: ['POST'], serve: registerTrainer },
  '/register-env': { methods: ['POST'], serve: registerEnvironment },
  '/disconnect-env': { methods: ['POST'], serve: disconnect },
  '/wandb_info': {
    methods: ['GET'],
    serve: ({ queue: { state } }) => json({ group: state.group, project: state.project }),
  },
  '/info': { methods: ['GET'], serve: info },
  '/batch': { methods: ['GET'], serve: batch },
  '/latest_example': { methods: ['GET'], serve: latestExample },
  '/scored_data': { methods: ['POST'], serve: scoredData },
  '/scored_data_list': { methods: ['POST'], serve: scoredDataList },
  '/status': { methods: ['GET'], serve: status },
  '/status-env': { methods: ['GET', 'POST'], serve: statusOfEnvironment },
  '/reset_data': { methods: ['GET'], serve: reset },
  '/metrics': { methods: ['GET'], serve: (context) => text(metricsText(context)) },
};
