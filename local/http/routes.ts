/** A route of the HTTP API, as API Gateway writes it: `ANY /webhooks/{source}` or `$default`. */
export interface Route<Target> {
  readonly key: string;
  readonly target: Target;
}

/** A route that fits a request, and the values of its path's variables. */
export interface RouteMatch<Target> {
  readonly route: Route<Target>;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Picks the route that fits best: the literal path first, then variables, then a greedy
 * variable, then `$default`; for the same path the method before `ANY`.
 *
 * @param path decoded, beginning with a slash; a slash at the end makes it another path
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
export function matchRoute<Target>(
  routes: readonly Route<Target>[],
  method: string,
  path: string,
): RouteMatch<Target> | undefined {
  const matches = routes.flatMap((route) => {
    const [routeMethod = '', routePath] = route.key.split(' ');
    if (routePath === undefined) return route.key === '$default' ? [{ route, pathParameters: {}, rank: '3' }] : [];
    if (routeMethod !== 'ANY' && routeMethod !== method) return [];
    const fit = fitPath(routePath, path);
    return fit === undefined
      ? []
      : [{ route, pathParameters: fit.pathParameters, rank: `${fit.rank}${routeMethod === 'ANY' ? 1 : 0}` }];
  });
  return matches.sort((a, b) => (a.rank < b.rank ? -1 : 1))[0];
}

function fitPath(
  routePath: string,
  path: string,
): { pathParameters: Record<string, string>; rank: string } | undefined {
  const wanted = routePath.split('/');
  const given = path.split('/');
  const pathParameters: Record<string, string> = {};
  let rank = '';
  for (const [index, segment] of wanted.entries()) {
    const value = given[index];
    if (value === undefined) return undefined;
    const variable = /^\{(.+?)(\+?)\}$/.exec(segment);
    if (variable === null) {
      if (segment !== value) return undefined;
      rank += '0';
      continue;
    }
    const [, name = '', greedy] = variable;
    const rest = greedy === '+' ? given.slice(index).join('/') : value;
    if (rest === '') return undefined;
    pathParameters[name] = rest;
    if (greedy === '+') return { pathParameters, rank: `${rank}2` };
    rank += '1';
  }
  return wanted.length === given.length ? { pathParameters, rank } : undefined;
}
