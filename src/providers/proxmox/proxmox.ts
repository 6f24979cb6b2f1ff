import { Problem } from '../../model/problem.ts';
import type { MachineReader, MachineWriter, Provider } from '../provider.ts';
import { ProxmoxApi } from './api/api.ts';
import { Tasks } from './api/tasks.ts';
import { check } from './check/check.ts';
import { endpointsAlone, type EndpointAlone } from './check/endpoints.ts';
import { Facts } from './facts.ts';
import { Agents } from './read/agent.ts';
import { readEverything } from './read/everything.ts';
import { readImages } from './read/images.ts';
import { readMachines } from './read/machines.ts';
import { readSurvey } from './read/survey.ts';
import type { ProxmoxAccess, ProxmoxSettings } from './settings.ts';
import type { ProxmoxTools } from './tools.ts';
import { hasRules } from './version.ts';
import { keepApartByGroups } from './write/apart/groups.ts';
import { keepApartByRule } from './write/apart/rules.ts';
import { create } from './write/create.ts';
import { deleteMachine } from './write/delete.ts';
import { writeFirewall } from './write/firewall/firewall.ts';
import { ensureImage } from './write/images.ts';
import { ejectMedia } from './write/media.ts';
import { reset, setPower } from './write/power.ts';
import type { Hands } from './write/hands.ts';
import { resize } from './write/resize.ts';

/** Machines as VMs of a Proxmox VE cluster. Nothing is dialled before something is asked. */
export function openProxmox(settings: ProxmoxSettings, access: ProxmoxAccess, tools: ProxmoxTools): Provider {
  if (settings.tls.insecure) tools.warn(insecure(settings.endpoint));
  const api = new ProxmoxApi(settings, access, tools);
  const facts = new Facts(api);
  const agents = new Agents(api);
  const hands: Hands = { api, tasks: new Tasks(api), facts };
  const endpoints = endpointsAlone(settings, access, tools);
  return {
    reader: readerOf(api, facts, agents, settings, endpoints),
    writer: writerOf(hands, agents, settings),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([api, ...endpoints.map((each) => each.api)].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

const readerOf = (
  api: ProxmoxApi,
  facts: Facts,
  agents: Agents,
  settings: ProxmoxSettings,
  endpoints: readonly EndpointAlone[],
): MachineReader => ({
  survey: (signal) => readSurvey(api, facts, settings, signal),
  machines: (platform, signal) => readMachines(api, settings, platform, signal),
  address: (machine, rule, signal) => agents.addressOf(machine, rule, signal),
  images: (request, hosts, signal) => readImages(api, request, hosts, signal),
  everything: (signal) => readEverything(api, signal),
  check: (needs, signal) => check({ api, facts, settings, needs, endpoints }, signal),
});

const writerOf = (hands: Hands, agents: Agents, settings: ProxmoxSettings): MachineWriter => ({
  ensureImage: (request, hosts, signal) => ensureImage(hands, request, hosts, signal),
  create: (request, signal) => {
    agents.forget(request.mark.uuid);
    return create(hands, settings, request, signal);
  },
  setPower: (machine, power, signal) => setPower(hands, machine, power, signal),
  reset: (machine, signal) => reset(hands, machine, signal),
  ejectMedia: (machine, signal) => ejectMedia(hands, machine, signal),
  resize: (machine, shape, signal) => resize(hands, machine, shape, signal),
  delete: (machine, signal) => deleteMachine(hands, machine, signal),
  keepApart: async (group, machines, signal) => {
    const byRule = hasRules(await hands.facts.version(signal));
    await (byRule ? keepApartByRule : keepApartByGroups)(hands, group, machines, signal);
  },
  firewall: (platform, machines, rules, signal) => writeFirewall(hands, platform, machines, rules, signal),
});

const insecure = (endpoint: string): Problem =>
  new Problem(
    'proxmox-insecure',
    `Any certificate is accepted from ${endpoint}: whoever is in between reads the token.`,
    {
      severity: 'warning',
      remedy: `Pin the certificate instead of tls.insecure, with tls.fingerprint:\n    openssl s_client -connect ${new URL(endpoint).host} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256`,
    },
  );
