// SPDX-License-Identifier: MIT
// Swift calls no function with a variable number of arguments: here are the needed functions, with
// fixed arguments.

#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

/// Starts a daemon that listens on an IPv4 address.
///
/// @return NULL, with errno, if the address is none, or cannot be listened on
static inline struct MHD_Daemon *cmicrohttpd_start(
    const char *address, uint16_t port, unsigned int threads,
    void *(*inspect)(void *, const char *, struct MHD_Connection *),
    MHD_AccessHandlerCallback respond, MHD_RequestCompletedCallback completed, void *context) {
  struct sockaddr_in socket_address;
  memset(&socket_address, 0, sizeof socket_address);
  socket_address.sin_family = AF_INET;
  socket_address.sin_port = htons(port);
  if (inet_pton(AF_INET, address, &socket_address.sin_addr) != 1) {
    errno = EINVAL;
    return NULL;
  }
  return MHD_start_daemon(
      // MHD_quiesce_daemon needs the channel between threads.
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ITC, port, NULL, NULL, respond, context,
      MHD_OPTION_SOCK_ADDR, &socket_address, MHD_OPTION_THREAD_POOL_SIZE, threads,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_CONNECTION_TIMEOUT, 30u, MHD_OPTION_URI_LOG_CALLBACK, inspect, context,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_END);
}

static inline enum MHD_Result cmicrohttpd_count_length(
    void *count, enum MHD_ValueKind kind, const char *name, const char *value) {
  (void)kind;
  (void)value;
  if (strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0 ||
      strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0)
    ++*(int *)count;
  return MHD_YES;
}

/// How many headers of a request say where its body ends.
static inline int cmicrohttpd_body_lengths(struct MHD_Connection *connection) {
  int count = 0;
  MHD_get_connection_values(connection, MHD_HEADER_KIND, cmicrohttpd_count_length, &count);
  return count;
}

/// The port on which a daemon listens; chosen by the system for a daemon started with port 0.
static inline uint16_t cmicrohttpd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}
