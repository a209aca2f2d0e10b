import type { Fault } from "./plant.ts";

function inFile(file: string, caughtBy: string, faults: readonly (readonly [string, string, string])[]): Fault[] {
  return faults.map(([name, find, plant]) => ({ of: `native/index.ts: ${name}`, file, find, plant, caughtBy }));
}

export const nativeFaults: readonly Fault[] = [
  ...inFile("native/index.ts", "test/native/peer.test.ts", [
    ["SyscallError", "this.errno = errno;", "this.errno = -errno;"],
    ["isSyscallError", "codes.length === 0 || codes.includes(error.code)", "codes.length === 0"],
    ["isAlive", "(pollNow(pidfd, constants.POLLIN) & constants.POLLIN) === 0", "pollNow(pidfd, constants.POLLIN) >= 0"],
    [
      "pidfdInfo",
      'case ESRCH:\n      return { kind: "gone" };\n    default:\n      throw new SyscallError("ioctl',
      'case ESRCH:\n      return { kind: "unsupported" };\n    default:\n      throw new SyscallError("ioctl',
    ],
  ]),
  ...inFile("native/peer.c", "test/native/peer.test.ts", [
    [
      "peerCredentials",
      'set_number(&call, object, "uid", peer.uid);',
      'set_number(&call, object, "uid", (int)peer.uid);',
    ],
    ["peerCredentials", 'set_number(&call, object, "gid", peer.gid);', 'set_number(&call, object, "gid", peer.uid);'],
    ["peerGroups", "if (!few_fit && errno != ERANGE) return", "if (!few_fit) return"],
    ["peerGroups", "/ sizeof *few > most", "/ sizeof *few >= most"],
    ["peerPidfd", "return answer_number(&call, pidfd);", "return answer_number(&call, pidfd + 1);"],
    [
      "pidfdInfo",
      'set_number(&call, object, "uid", process.euid);',
      'set_number(&call, object, "uid", process.ruid + 1);',
    ],
    ["pidfdOpen", "SYS_pidfd_open, pid, 0", "SYS_pidfd_open, 0 * pid + getpid(), 0"],
    ["pollNow", "if (fd < 0) return answer_error(&call, EBADF);", ""],
  ]),
  ...inFile("native/socket.c", "test/native/socket.test.ts", [
    [
      "unixSocket",
      "socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)",
      "socket(AF_UNIX, type | SOCK_CLOEXEC, 0)",
    ],
    [
      "unixSocket",
      "socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)",
      "socket(AF_UNIX, type | SOCK_NONBLOCK, 0)",
    ],
    ["socketPair", "answer_number(&call, pair[1])", "answer_number(&call, pair[0])"],
    ["bind", "if (path.length >= sizeof address->sun_path)", "if (path.length >= sizeof address->sun_path - 1)"],
    ["bind", "else if (path.length == 0) refuse_with(call, EINVAL);", ""],
    ["listen", "listen(fd, backlog)", "listen(fd, backlog + 100)"],
    [
      "connect",
      "RETRY(connect(fd, (const struct sockaddr *)&address, size))",
      "0 * connect(fd, (const struct sockaddr *)&address, size)",
    ],
    ["accept", "accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)", "accept4(fd, NULL, NULL, SOCK_NONBLOCK)"],
    ["shutdownWrite", "shutdown(fd, SHUT_WR)", "shutdown(fd, SHUT_RD)"],
    [
      "send",
      "sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT)));\n}\n\nstatic napi_value receive",
      "sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT | MSG_OOB)));\n}\n\nstatic napi_value receive",
    ],
    ["receive", "end of the stream. */\n  if (part.length == 0) refuse_with(&call, EINVAL);", "end of the stream. */"],
    ["refuseDescriptors", "SO_PASSRIGHTS, &on, sizeof on)", "SO_PASSRIGHTS, &(int){!on}, sizeof on)"],
    ["mayCarryDescriptors", "return answer_number(&call, on);", "return answer_number(&call, !on);"],
    ["peek", "MSG_DONTWAIT | MSG_PEEK", "MSG_DONTWAIT"],
    ["peek", "(message.msg_flags & MSG_CTRUNC) != 0, &attached", "false, &attached"],
    ["closeElsewhere", "  (void)close(parting.fd);\n", ""],
    [
      "receive",
      "return answer(&call, RETRY(recvmsg(fd, &message, MSG_DONTWAIT)));",
      "return answer(&call, RETRY(recvmsg(fd, &message, MSG_DONTWAIT | MSG_PEEK)));",
    ],
    [
      "sendDescriptor",
      "memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);",
      "memcpy(CMSG_DATA(&control.header), &fd, sizeof descriptor);",
    ],
    ["receiveDescriptor", "MSG_DONTWAIT | MSG_CMSG_CLOEXEC", "MSG_DONTWAIT"],
    ["receiveDescriptor", "    (void)close(descriptor);\n    descriptor = -1;\n", "    descriptor = -1;\n"],
    ["receiveDescriptor", "(message.msg_flags & MSG_CTRUNC) != 0 || ", ""],
  ]),
  ...inFile("native/index.ts", "test/native/readiness.test.ts", [
    ["Readiness", 'status < 0 ? "timeout" : "ready"', '"ready"'],
    ["Readiness", 'this.#settle(WRITABLE, "closed");', ""],
    ["monotonicMillis", "return addon.monotonicMillis();", "return addon.monotonicMillis() / 1000;"],
  ]),
  ...inFile("native/readiness.c", "test/native/readiness.test.ts", [
    ["Readiness", "if (readiness->slots[slot] != IDLE) return answer_error(&call, EBUSY);", ""],
    ["Readiness", "if (stray) poll_for(readiness, waited_for(readiness));", ""],
    ["Readiness", "(uint64_t)timeout + (timeout > 0), 0);", "(uint64_t)timeout * 100, 0);"],
  ]),
  ...inFile("native/index.ts", "test/native/file.test.ts", [
    ["OwnedFd", "if (fd !== undefined) close(fd);", ""],
    ["flistxattr", "rest = rest.subarray(end + 1);", "rest = rest.subarray(end + 2);"],
  ]),
  ...inFile("native/file.c", "test/native/file.test.ts", [
    [
      "openBeneath",
      "RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,",
      "RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,",
    ],
    [
      "openBeneath",
      "RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,",
      "RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,",
    ],
    ["openBeneath", ".flags = flags | O_CLOEXEC,", ".flags = flags,"],
    ["close", "return answer(&call, close(fd));", "return answer(&call, 0 * close(fd));"],
    ["mkdirat", "mkdirat(dir, name.bytes, mode)", "mkdirat(dir, name.bytes, 0777)"],
    ["unlinkat", "unlinkat(dir, name.bytes, flags)", "unlinkat(dir, name.bytes, 0)"],
    [
      "renameat2",
      "new_name.bytes, flags));\n}\n\nstatic napi_value linkat_",
      "new_name.bytes, 0));\n}\n\nstatic napi_value linkat_",
    ],
    [
      "linkat",
      "linkat(old_dir, old_name.bytes, new_dir, new_name.bytes, flags)",
      "linkat(old_dir, old_name.bytes, old_dir, new_name.bytes, flags)",
    ],
    ["symlinkat", "symlinkat(target.bytes, dir, name.bytes)", "symlinkat(name.bytes, dir, name.bytes)"],
    ["readlinkat", "answer_bytes(&call, target, (size_t)length)", "answer_bytes(&call, target, (size_t)length + 1)"],
    ["fsync", "RETRY(fsync(fd))", "0 * fsync(fd)"],
    [
      "statx",
      'set_time(&call, object, "mtime", status.stx_mtime);',
      'set_time(&call, object, "mtime", status.stx_ctime);',
    ],
    ["statx", 'set_number(&call, object, "gid", status.stx_gid);', 'set_number(&call, object, "gid", status.stx_uid);'],
    ["fgetxattr", "answer_bytes(&call, value, (size_t)length)", "answer_bytes(&call, value, (size_t)length + 1)"],
    ["fsetxattr", "value.length, flags)", "value.length, 0)"],
    ["flistxattr", "answer_bytes(&call, names, (size_t)length)", "answer_bytes(&call, names, 0)"],
    [
      "fremovexattr",
      "return answer(&call, fremovexattr(fd, name.bytes));",
      "return answer(&call, 0 * fremovexattr(fd, name.bytes));",
    ],
  ]),
  ...inFile("native/mount.c", "test/native/mount.test.ts", [
    ["mount", "type.bytes, flags, data.bytes)", "type.bytes, 0, data.bytes)"],
    [
      "mountSetattr",
      "change.set = take_unsigned(&call);\n  change.clear = take_unsigned(&call);",
      "change.clear = take_unsigned(&call);\n  change.set = take_unsigned(&call);",
    ],
    ["umount2", "umount2(target.bytes, flags)", "umount2(target.bytes, 0)"],
  ]),
  ...inFile("native/index.ts", "test/native/process.test.ts", [
    ["setDumpable", "addon.prctl(constants.PR_SET_DUMPABLE, on ? 1 : 0)", "addon.prctl(constants.PR_SET_DUMPABLE, 1)"],
    [
      "isDumpable",
      "addon.prctl(constants.PR_GET_DUMPABLE, 0)) === 1",
      "addon.prctl(constants.PR_GET_DUMPABLE, 0)) >= 0",
    ],
    ["setNoNewPrivileges", "addon.prctl(constants.PR_SET_NO_NEW_PRIVS, 1)", "0"],
    [
      "hasNoNewPrivileges",
      "addon.prctl(constants.PR_GET_NO_NEW_PRIVS, 0)) === 1",
      "addon.prctl(constants.PR_GET_NO_NEW_PRIVS, 0)) >= 0",
    ],
    [
      "setChildSubreaper",
      "addon.prctl(constants.PR_SET_CHILD_SUBREAPER, on ? 1 : 0)",
      "addon.prctl(constants.PR_SET_CHILD_SUBREAPER, 0)",
    ],
    [
      "isChildSubreaper",
      "addon.prctl(constants.PR_GET_CHILD_SUBREAPER, 0)) === 1",
      "addon.prctl(constants.PR_GET_CHILD_SUBREAPER, 0)) >= 0",
    ],
    [
      "setParentDeathSignal",
      "addon.prctl(constants.PR_SET_PDEATHSIG, signal)",
      "addon.prctl(constants.PR_SET_PDEATHSIG, 0)",
    ],
    ["parentDeathSignal", "addon.prctl(constants.PR_GET_PDEATHSIG, 0)", "addon.prctl(constants.PR_GET_DUMPABLE, 0)"],
    ["waitid", "options.peek === true ? constants.WNOWAIT : 0", "0"],
    ["waitid", "dumped: result.code === constants.CLD_DUMPED", "dumped: result.code !== constants.CLD_DUMPED"],
  ]),
  ...inFile("native/process.c", "test/native/process.test.ts", [
    ["closeRange", "close_range(first, last, flags)", "close_range(first, first, flags)"],
    ["unshare", "return answer(&call, unshare(flags));", "return answer(&call, 0L * flags);"],
    ["waitid", "if (end.si_pid == 0) return NULL;", ""],
  ]),
  ...inFile("native/program.c", "test/native/execve.test.ts", [
    ["execve", "if (fcntl(keep->items[index], F_SETFD, 0) == -1) return false;", ""],
    ["execve", "if (close_range(FIRST_UNNAMED, UINT_MAX, CLOSE_RANGE_CLOEXEC) == -1) return false;\n  for", "for"],
    ["execve", "uint64_t ignored = stop_ignoring();", "uint64_t ignored = 0;"],
    ["execve", "    ignore_again(ignored);\n", ""],
  ]),
  ...inFile("native/program.c", "test/native/spawn.test.ts", [
    [
      "spawn",
      "if (dup2(items[index], index) == -1) return false;",
      "if (dup2(plan->descriptors.items[0], index) == -1) return false;",
    ],
    [
      "spawn",
      "if (close_range(plan->descriptors.count, UINT_MAX, CLOSE_RANGE_CLOEXEC) == -1) fail(plan, STAGE_CLOSE_RANGE);",
      "",
    ],
    [
      "spawn",
      'if (!write_once("/proc/self/uid_map", plan->uid_map.bytes, plan->uid_map.length)) fail(plan, STAGE_UID_MAP);',
      "",
    ],
    ["spawn", "(void)RETRY(waitid(P_PIDFD, (id_t)pidfd, &end, WEXITED));", "(void)end;"],
    ["spawn", "if (!reset_signals()) fail(plan, STAGE_SIGNALS);", ""],
  ]),
  ...inFile("native/program.c", "test/native/terminal.test.ts", [
    ["spawn", "if (ioctl(terminal, TIOCSCTTY, 0) == -1) fail(plan, STAGE_TERMINAL);", "(void)terminal;"],
    ["spawn", "if (setsid() == -1) fail(plan, STAGE_SETSID);", ""],
  ]),
];
