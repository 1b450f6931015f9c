import { Dashboard } from './dashboard.ts';
import type { DashboardReply, DashboardRequest } from './messages.ts';

/*
 * Entry of the live page's own process, for `fork`, so that drawing a page is not counted as the generator's slowness. It ends with
 * the run: on request, or when the channel closes.
 */

function tellParent(reply: DashboardReply): void {
  if (process.connected) process.send?.(reply);
}

let dashboard: Dashboard | undefined;
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
process.on('message', (request: DashboardRequest) => {
  if (request.kind === 'began') dashboard?.began(request.monotonicUs);
  else if (request.kind === 'stopping') dashboard?.stopping();
  else if (request.kind === 'ended') void dashboard?.end(request.ending).finally(() => process.exit(0));
  else {
    dashboard = new Dashboard(request);
    dashboard
      .open()
      .then((url) => tellParent({ kind: 'ready', url }))
      .catch((error: Error) => tellParent({ kind: 'failed', message: error.message }));
  }
});
