// PageServer: one page over HTTP, to this machine alone.
//
// Listens on 127.0.0.1. The page is found only under a path that nobody can guess, so that neither other users of the
// machine nor web pages in the user's browser get to see it; everything else is "not found". One request at a time.
// Written for the one thing it does: the library at hand (cpp-httplib) would bring OpenSSL and Brotli into the command.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace bursar::cli {

class PageServer {
 public:
  // Port 0: any that is free.
  static base::Result<PageServer> listen(std::string page, std::uint16_t port);
  PageServer(PageServer&& other) noexcept;
  PageServer& operator=(PageServer&&) = delete;
  ~PageServer();

  // http://127.0.0.1:PORT/PATH
  std::string address() const;

  // Answers requests until the stop descriptor becomes readable.
  base::Status serve(int stop_descriptor);

 private:
  PageServer(int socket, std::uint16_t port, std::string path, std::string page);
  void answer(int connection) const;

  int socket_;
  std::uint16_t port_;
  std::string path_;
  std::string page_;
};

}  // namespace bursar::cli
