#include "cli/page_server_linux.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace bursar::cli {

namespace {

constexpr std::size_t kMaxRequest = 16 << 10;
constexpr timeval kPatience = {5, 0};  // with a client that says or takes nothing

base::Error failure(std::string_view what) {
  return {fmt::format("cannot {}: {}", what, std::strerror(errno))};
}

bool send_all(int connection, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = send(connection, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string receive_request(int connection) {
  std::string request;
  std::array<char, 4096> piece;
  while (request.size() < kMaxRequest && request.find("\r\n\r\n") == std::string::npos) {
    const ssize_t got = recv(connection, piece.data(), piece.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    request.append(piece.data(), static_cast<std::size_t>(got));
  }
  return request;
}

}  // namespace

base::Result<PageServer> PageServer::listen(std::string page, std::uint16_t port) {
  std::array<std::uint8_t, 16> random;
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return failure("get random numbers");
  }
  std::string path = "/";
  for (const std::uint8_t byte : random) path += fmt::format("{:02x}", byte);

  PageServer server(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), port, std::move(path), std::move(page));
  if (server.socket_ < 0) return failure("open a socket");
  const int yes = 1;
  setsockopt(server.socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);  // NOLINT: what the interface wants
  if (bind(server.socket_, generic, size) != 0 || ::listen(server.socket_, 16) != 0 ||
      getsockname(server.socket_, generic, &size) != 0) {
    return failure(fmt::format("listen on 127.0.0.1:{}", port));
  }
  server.port_ = ntohs(address.sin_port);
  return server;
}

PageServer::PageServer(int socket, std::uint16_t port, std::string path, std::string page)
    : socket_(socket), port_(port), path_(std::move(path)), page_(std::move(page)) {}

PageServer::PageServer(PageServer&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      port_(other.port_),
      path_(std::move(other.path_)),
      page_(std::move(other.page_)) {}

PageServer::~PageServer() {
  if (socket_ >= 0) close(socket_);
}

std::string PageServer::address() const {
  return fmt::format("http://127.0.0.1:{}{}", port_, path_);
}

base::Status PageServer::serve(int stop_descriptor) {
  while (true) {
    std::array<pollfd, 2> waiting = {pollfd{socket_, POLLIN, 0}, pollfd{stop_descriptor, POLLIN, 0}};
    if (poll(waiting.data(), waiting.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return failure("wait for requests");
    }
    if (waiting[1].revents != 0) return base::Done{};
    const int connection = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;  // the client gave up
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
    answer(connection);
    close(connection);
  }
}

void PageServer::answer(int connection) const {
  const std::string request = receive_request(connection);
  const std::string_view line = std::string_view(request).substr(0, request.find("\r\n"));
  const bool found = line == fmt::format("GET {} HTTP/1.1", path_) || line == fmt::format("GET {} HTTP/1.0", path_);
  const std::string_view body = found ? std::string_view(page_) : "not found\n";
  const std::string head = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
      found ? "200 OK" : "404 Not Found", found ? "text/html" : "text/plain", body.size());
  if (send_all(connection, head)) send_all(connection, body);
}

}  // namespace bursar::cli
