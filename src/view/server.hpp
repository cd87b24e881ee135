// Serves one page and, if it is a live one, streams frames to the pages that are open. A thread of
// its own does all talking; send() and next() are for the thread of the simulation, and neither
// ever waits for a browser: each has a mailbox for the newest frame, and one that is slow misses
// frames. Knows nothing of vehicles. No file is served: there is the page, and what its owner makes
// on request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "view/protocol.hpp"

namespace klingel::view {

struct ServerOptions {
  std::string address = "127.0.0.1";  // a number; others than this machine only on request
  std::uint16_t port = 8080;          // 0: any that is free
  bool live = true;                   // whether there is a stream beside the page
  std::size_t most_pages = 8;         // that watch at a time
  // Requests must have it in their address (?key=...); none is asked for if it is empty.
  std::string token = {};
  // Addresses that begin with this ("/case/") are asked of the owner; none if it is empty.
  std::string on_request = {};
};

// A page that somebody waits for.
struct PageRequest {
  std::uint64_t number = 0;
  std::string what;  // the address behind `on_request`
};

class Server {
 public:
  // Listens when it returns. A port in use is an Error that names the next free one.
  Server(const ServerOptions& options, std::string page);
  ~Server();  // closes all connections
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  std::string url() const;

  // The newest frame (binary), and the newest note (text), for all pages. A page that comes later
  // gets the last of each at once.
  void send(std::string frame);
  void tell(std::string note);

  // Commands of pages, in order. False if there is none.
  bool next(Command& command);
  // Pages to be made, in order, and what became of them. An answer that nobody waits for any more
  // is forgotten.
  bool next(PageRequest& request);
  void answer(std::uint64_t number, bool made, std::string text);
  // A command that made no sense to the simulation counts as ignored, too.
  void count_ignored();

  struct Counts {
    std::size_t pages = 0;    // that watch now
    std::size_t sent = 0;     // frames
    std::size_t dropped = 0;  // frames that a page was too slow for
    std::size_t ignored = 0;  // messages that were no commands
    std::size_t refused = 0;  // requests of strangers (access.hpp)
  };
  Counts counts() const;

  struct Parts;  // server.cpp

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace klingel::view
