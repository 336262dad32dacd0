import type { Place } from '../template/physical-names.ts';
import { checkPolicies, evaluate, sessionArn, type Verdict } from './evaluate.ts';
import type { Access, FunctionRole } from './function-role.ts';
import { covers, grantsOf, withoutGrant } from './grants.ts';

/** A call that was not allowed. */
export interface Denial extends Access {
  readonly instanceId: string;
  /** As AWS words it: who, what, on which resource, and why not. */
  readonly message: string;
}

/** What the functions may do, and what they did. */
export interface Iam {
  /** What the policies allow by name; a statement without named actions or resources is left out. */
  readonly grants: readonly Access[];
  /** The accesses that were allowed, each once. */
  readonly used: readonly Access[];
  /** The accesses that were refused, each once. */
  readonly denied: readonly Access[];
  /** The grants that no call has needed since the start, or since {@link Iam.forgetAccesses}. */
  unusedGrants(): readonly Access[];
  /** Empties `used` and `denied`. */
  forgetAccesses(): void;
  /** Takes a grant away from now on, across deploys; call what it returns to give it back. */
  withhold(grant: Access): () => void;
}

/** The side of IAM that asks. */
export interface Authorizer {
  /** Whether a function may do this: `undefined` if it may, and how AWS words the refusal if not. */
  authorize(access: Access & { readonly instanceId: string }): Denial | undefined;
  /**
   * From now on these roles count, for running instances too.
   *
   * @throws Problem for a policy that IAM would not take; the roles before stay.
   */
  replace(roles: readonly FunctionRole[]): Promise<void>;
  roleOf(functionKey: string): FunctionRole | undefined;
}

/** @param onDenial called for each refused call. */
export function createIam(place: Place, onDenial: (denial: Denial) => void): Iam & Authorizer {
  let deployed: readonly FunctionRole[] = [];
  let roles = new Map<string, FunctionRole>();
  const withheld = new Set<Access>();
  /** Verdicts by function, action and resource: a function makes the same few calls over and over. */
  const verdicts = new Map<string, Verdict>();
  const used = new Map<string, Access>();
  const denied = new Map<string, Access>();

  const grants = (): readonly Access[] => deployed.flatMap(grantsOf);

  function apply(): void {
    roles = new Map(deployed.map((role) => [role.functionKey, [...withheld].reduce(withoutGrant, role)]));
    verdicts.clear();
  }

  function verdictOn(key: string, role: FunctionRole, { action, resource }: Access): Verdict {
    const known = verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = evaluate(role, place, action, resource);
    verdicts.set(key, verdict);
    return verdict;
  }

  return {
    get grants() {
      return grants();
    },
    get used() {
      return [...used.values()];
    },
    get denied() {
      return [...denied.values()];
    },
    unusedGrants() {
      return grants().filter((grant) => ![...used.values()].some((access) => covers(grant, access)));
    },
    forgetAccesses() {
      used.clear();
      denied.clear();
    },
    withhold(grant) {
      withheld.add(grant);
      apply();
      return () => {
        withheld.delete(grant);
        apply();
      };
    },

    authorize({ instanceId, ...access }) {
      const { functionKey, action, resource } = access;
      const key = JSON.stringify([functionKey, action, resource]);
      const role = roles.get(functionKey);
      if (role !== undefined && verdictOn(key, role, access) === 'Allowed') {
        if (!used.has(key)) used.set(key, access);
        return undefined;
      }
      denied.set(key, access);
      const who = role === undefined ? functionKey : sessionArn(role, place);
      const why =
        verdicts.get(key) === 'ExplicitlyDenied'
          ? 'with an explicit deny in an identity-based policy'
          : `because no identity-based policy allows the ${action} action`;
      const message = `User: ${who} is not authorized to perform: ${action} on resource: ${resource} ${why}`;
      const denial = { ...access, instanceId, message };
      onDenial(denial);
      return denial;
    },
    async replace(next) {
      for (const role of next) await checkPolicies(role, place);
      deployed = next;
      apply();
    },
    roleOf: (functionKey) => roles.get(functionKey),
  };
}
