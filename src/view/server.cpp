// The only file that uses Boost.Beast. One thread runs all handlers, so nothing here is locked but
// what the simulation's thread touches: the outgoing mailboxes and the incoming commands.
#include "view/server.hpp"

// Asio of Boost 1.74 uses std::exchange without including it
#include <utility>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "view/access.hpp"
#include "view/mailbox.hpp"

namespace klingel::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using tcp = asio::ip::tcp;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::size_t most_connections = 64;
constexpr std::size_t most_commands = 1000;  // that wait; a page that sends more is not listened to
constexpr std::chrono::seconds patience{15};
constexpr std::size_t most_waiting = 8;  // for pages that are made
// frames on the way to a page: enough for 60/s with 60 ms to and fro, too few to be late
constexpr int most_on_the_way = 4;

std::string_view text_of(beast::string_view text) { return {text.data(), text.size()}; }

class Client;
class Visitor;

}  // namespace

struct Server::Parts {
  ServerOptions options;
  std::string page;
  std::atomic<std::size_t> connections = 0, pages = 0, sent = 0, dropped = 0, ignored = 0,
                           refused = 0;

  // from and to the thread of the simulation
  Mailbox frames, notes;
  std::atomic<bool> woken = false;
  std::mutex mutex;
  std::deque<Command> commands;
  std::deque<PageRequest> requests;

  // of the server's thread
  Letter last_frame, last_note;
  std::vector<std::weak_ptr<Client>> clients;
  std::deque<std::weak_ptr<Visitor>> visitors;  // oldest first
  std::map<std::uint64_t, std::weak_ptr<Visitor>> waiting;
  std::uint64_t last_request = 0;

  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  std::uint16_t port = 0;
  std::thread thread;

  void listen();
  void accept();
  void deliver();
  void wake();
  void receive(const Command& command);
};

namespace {

using Parts = Server::Parts;

// A page that watches.
class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(Parts& parts, beast::tcp_stream stream) : parts_(parts), socket_(std::move(stream)) {
    ++parts_.pages;
  }
  ~Client() { --parts_.pages; }

  void start(Request request) {
    beast::get_lowest_layer(socket_).expires_never();
    websocket::stream_base::timeout times{};
    times.handshake_timeout = patience;
    times.idle_timeout = patience;
    times.keep_alive_pings = true;
    socket_.set_option(times);
    socket_.read_message_max(longest_message);
    error_code ignored;
    // frames that are late are worth nothing: let them not pile up in the system
    beast::get_lowest_layer(socket_).socket().set_option(
        asio::socket_base::send_buffer_size(64 * 1024), ignored);
    beast::get_lowest_layer(socket_).socket().set_option(tcp::no_delay(true), ignored);
    request_ = std::move(request);
    socket_.async_accept(request_, [self = shared_from_this()](error_code error) {
      if (error) return;
      self->open_ = true;
      self->read();
      self->write();
    });
  }

  void give_frame(const Letter& letter) {
    if (frames_.put(letter)) ++parts_.dropped;
    write();
  }
  void give_note(const Letter& letter) {
    notes_.put(letter);
    write();
  }

 private:
  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) {
        if (error == websocket::error::message_too_big) ++self->parts_.ignored;
        self->open_ = false;
        return;
      }
      self->hear();
      self->read();
    });
  }

  void hear() {
    const std::string text = beast::buffers_to_string(buffer_.data());
    buffer_.consume(buffer_.size());
    const std::optional<Command> command =
        socket_.got_text() ? parse_command(text) : std::optional<Command>();
    if (!command) {
      ++parts_.ignored;
    } else if (command->kind == Command::Kind::seen) {
      if (on_the_way_ > 0) --on_the_way_;
      write();
    } else {
      parts_.receive(*command);
    }
  }

  // the next letter, if none is being written; its handler comes back here
  void write() {
    if (!open_ || writing_) return;
    writing_ = notes_.take();
    socket_.text(writing_ != nullptr);
    if (!writing_ && on_the_way_ < most_on_the_way) {
      writing_ = frames_.take();
      if (writing_) ++on_the_way_, ++parts_.sent;
    }
    if (!writing_) return;
    socket_.async_write(asio::buffer(*writing_),
                        [self = shared_from_this()](error_code error, std::size_t) {
                          self->writing_ = nullptr;
                          if (error) self->open_ = false;
                          self->write();
                        });
  }

  Parts& parts_;
  websocket::stream<beast::tcp_stream, false> socket_;  // false: frames are not compressed
  beast::flat_buffer buffer_;
  Request request_;
  Mailbox frames_, notes_;
  Letter writing_;
  bool open_ = false;
  int on_the_way_ = 0;  // frames that were sent and not yet confirmed
};

// A connection that requests the page, or becomes a client.
class Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(Parts& parts, tcp::socket socket) : parts_(parts), stream_(std::move(socket)) {
    ++parts_.connections;
  }
  ~Visitor() { --parts_.connections; }

  // A newer connection needs the room: what waits is cancelled.
  void leave() {
    self_.reset();
    error_code ignored;
    stream_.socket().close(ignored);
  }

  // What it asked for; once.
  void take(bool made, std::string text) {
    const std::shared_ptr<Visitor> self = std::move(self_);
    if (!self) return;
    stream_.expires_after(patience);
    if (made)
      give_page(std::move(text), keep_, false);
    else
      refuse(http::status::unprocessable_entity, text, keep_);
  }

  void read() {
    parser_.emplace();
    parser_->body_limit(0);
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (!error) return self->answer();
                       if (error == http::error::end_of_stream) return self->close();
                       // what is no request is answered once
                       if (error.category() == make_error_code(http::error::bad_method).category())
                         self->refuse(http::status::bad_request, "this is not a request\n", false);
                     });
  }

 private:
  void answer() {
    Request request = parser_->release();
    const std::string_view host = text_of(request[http::field::host]);
    const std::string_view origin = text_of(request[http::field::origin]);
    const bool keep = request.keep_alive();
    if (!is_own_host(host, parts_.options.address)) {
      ++parts_.refused;
      return refuse(http::status::forbidden, "klingel view is served to this machine only\n", keep);
    }
    std::string_view target = text_of(request.target()), query;
    if (const std::size_t mark = target.find('?'); mark != std::string_view::npos) {
      query = target.substr(mark + 1);
      target = target.substr(0, mark);
    }
    if (!parts_.options.token.empty() && !has_token(query, parts_.options.token)) {
      ++parts_.refused;
      return refuse(http::status::forbidden,
                    "this address is not whole: open the one that klingel view has printed\n",
                    keep);
    }
    if (websocket::is_upgrade(request)) {
      if (target != "/live" || !parts_.options.live)
        return refuse(http::status::not_found, "there is no such stream\n", keep);
      // programs that are no browsers send no origin
      if (!origin.empty() && !is_own_origin(origin, host)) {
        ++parts_.refused;
        return refuse(http::status::forbidden,
                      "only the page of klingel view may control the simulation\n", keep);
      }
      if (parts_.pages >= parts_.options.most_pages)
        return refuse(http::status::service_unavailable, "too many pages are open\n", keep);
      return upgrade(std::move(request));
    }
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return refuse(http::status::method_not_allowed, "only GET and HEAD are served\n", keep);
    const std::string& on_request = parts_.options.on_request;
    if (!on_request.empty() && target.starts_with(on_request)) {
      if (request.method() != http::verb::get)
        return refuse(http::status::method_not_allowed, "only GET makes this\n", keep);
      // another site may not make this machine work
      const std::string_view site = text_of(request["Sec-Fetch-Site"]);
      if (!site.empty() && site != "same-origin" && site != "none") {
        ++parts_.refused;
        return refuse(http::status::forbidden, "only the page of klingel view may ask for this\n",
                      keep);
      }
      return ask(std::string(target.substr(on_request.size())), keep);
    }
    if (target != "/")
      return refuse(http::status::not_found, "not found; the only page is at /\n", keep);
    give_page(parts_.page, keep, request.method() == http::verb::head);
  }

  void give_page(std::string page, bool keep, bool head_only) {
    response_ = Response(http::status::ok, 11);
    response_.set(http::field::content_type, "text/html; charset=utf-8");
    response_.set("Content-Security-Policy", "frame-ancestors 'none'");
    response_.keep_alive(keep);
    response_.body() = std::move(page);
    send(head_only);
  }

  // The answer comes from another thread, when there is one.
  void ask(std::string what, bool keep) {
    if (parts_.waiting.size() >= most_waiting)
      return refuse(http::status::service_unavailable, "too much is being made already\n", keep);
    stream_.expires_never();
    keep_ = keep;
    const std::uint64_t number = ++parts_.last_request;
    parts_.waiting[number] = weak_from_this();
    self_ = shared_from_this();  // nothing else keeps it while it waits
    const std::lock_guard lock(parts_.mutex);
    parts_.requests.push_back({number, std::move(what)});
  }

  void upgrade(Request request) {
    const auto client = std::make_shared<Client>(parts_, std::move(stream_));
    client->start(std::move(request));
    if (parts_.last_note) client->give_note(parts_.last_note);
    if (parts_.last_frame) client->give_frame(parts_.last_frame);
    std::erase_if(parts_.clients, [](const auto& c) { return c.expired(); });
    parts_.clients.push_back(client);
  }

  void refuse(http::status status, std::string_view why, bool keep) {
    response_ = Response(status, 11);
    response_.set(http::field::content_type, "text/plain; charset=utf-8");
    response_.keep_alive(keep);
    response_.body() = why;
    send(false);
  }

  void send(bool head_only) {
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("X-Frame-Options", "DENY");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.prepare_payload();
    if (head_only) {
      // the length stays that of the page
      response_.body().clear();
    }
    http::async_write(stream_, response_,
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (error) return;
                        if (!self->response_.keep_alive()) return self->close();
                        self->read();
                      });
  }

  void close() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  Parts& parts_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  Response response_;
  bool keep_ = false;
  std::shared_ptr<Visitor> self_;
};

// Opens and binds; the error of the first step that fails.
error_code bind(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  return error;
}

// The next port that can be had, 0 if none of the following hundred.
unsigned next_free_port(const tcp::endpoint& taken) {
  asio::io_context io;
  for (unsigned port = taken.port() + 1U; port <= taken.port() + 100U && port < 65536; ++port) {
    tcp::acceptor acceptor(io);
    if (!bind(acceptor, {taken.address(), static_cast<std::uint16_t>(port)})) return port;
  }
  return 0;
}

}  // namespace

void Server::Parts::listen() {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(options.address, error);
  if (error) {
    base::fail("cannot serve at '{}': expected the number of an address, such as 127.0.0.1",
               options.address);
  }
  const tcp::endpoint endpoint(address, options.port);
  error = bind(acceptor, endpoint);
  const std::string place = host_and_port(options.address, options.port);
  if (error == asio::error::address_in_use) {
    const unsigned free = next_free_port(endpoint);
    base::fail("port {} is in use at {}, perhaps by another 'klingel view'{}", options.port,
               options.address,
               free != 0 ? fmt::format("\n    port {} is free: add --port {}", free, free)
                         : "; choose another with --port");
  }
  if (error) base::fail("cannot serve at {}: {}", place, error.message());
  port = acceptor.local_endpoint().port();
}

void Server::Parts::accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      // the oldest that has not finished makes room for the newest: stalled ones block nobody
      std::erase_if(visitors, [](const auto& v) { return v.expired(); });
      while (visitors.size() >= most_connections) {
        if (const std::shared_ptr<Visitor> oldest = visitors.front().lock()) oldest->leave();
        visitors.pop_front();
      }
      const auto visitor = std::make_shared<Visitor>(*this, std::move(socket));
      visitors.push_back(visitor);
      visitor->read();
    }
    accept();
  });
}

void Server::Parts::deliver() {
  woken = false;
  const Letter note = notes.take(), frame = frames.take();
  if (note) last_note = note;
  if (frame) last_frame = frame;
  for (const std::weak_ptr<Client>& weak : clients) {
    const std::shared_ptr<Client> client = weak.lock();
    if (!client) continue;
    if (note) client->give_note(note);
    if (frame) client->give_frame(frame);
  }
}

void Server::Parts::wake() {
  if (!woken.exchange(true)) asio::post(io, [this] { deliver(); });
}

void Server::Parts::receive(const Command& command) {
  const std::lock_guard lock(mutex);
  if (commands.size() < most_commands)
    commands.push_back(command);
  else
    ++ignored;
}

Server::Server(const ServerOptions& options, std::string page) : parts_(std::make_unique<Parts>()) {
  parts_->options = options;
  parts_->page = std::move(page);
  parts_->listen();
  parts_->accept();
  parts_->thread = std::thread([parts = parts_.get()] {
    // what a handler throws (no memory, no threads) costs its connection, not the simulation
    for (bool done = false; !done;) {
      try {
        parts->io.run();
        done = true;
      } catch (const std::exception&) {
        ++parts->ignored;
      }
    }
  });
}

Server::~Server() {
  parts_->io.stop();
  parts_->thread.join();
  // those that still wait keep themselves
  for (const auto& [number, weak] : parts_->waiting)
    if (const std::shared_ptr<Visitor> visitor = weak.lock()) visitor->leave();
}

std::uint16_t Server::port() const { return parts_->port; }

std::string Server::url() const {
  const std::string& token = parts_->options.token;
  return "http://" + host_and_port(parts_->options.address, parts_->port) + "/" +
         (token.empty() ? "" : "?key=" + token);
}

void Server::send(std::string frame) {
  parts_->frames.put(std::make_shared<const std::string>(std::move(frame)));
  parts_->wake();
}

void Server::tell(std::string note) {
  parts_->notes.put(std::make_shared<const std::string>(std::move(note)));
  parts_->wake();
}

bool Server::next(PageRequest& request) {
  const std::lock_guard lock(parts_->mutex);
  if (parts_->requests.empty()) return false;
  request = std::move(parts_->requests.front());
  parts_->requests.pop_front();
  return true;
}

void Server::answer(std::uint64_t number, bool made, std::string text) {
  asio::post(parts_->io, [parts = parts_.get(), number, made, text = std::move(text)]() mutable {
    const auto found = parts->waiting.find(number);
    if (found == parts->waiting.end()) return;
    const std::shared_ptr<Visitor> visitor = found->second.lock();
    parts->waiting.erase(found);
    if (visitor) visitor->take(made, std::move(text));
  });
}

bool Server::next(Command& command) {
  const std::lock_guard lock(parts_->mutex);
  if (parts_->commands.empty()) return false;
  command = parts_->commands.front();
  parts_->commands.pop_front();
  return true;
}

void Server::count_ignored() { ++parts_->ignored; }

Server::Counts Server::counts() const {
  return {parts_->pages, parts_->sent, parts_->dropped, parts_->ignored, parts_->refused};
}

}  // namespace klingel::view
