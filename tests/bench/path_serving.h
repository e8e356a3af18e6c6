// Runs a gRPC service as a child process does. Included by path_servers_*.cc only.
#pragma once

#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <iostream>
#include <string>

namespace tipstaff::bench {

inline int ServeUntilInputEnds(const std::string& path, grpc::Service& service) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix:" + path, grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) {
    std::cerr << "bench_path: cannot serve at `" << path << "`\n";
    return 5;
  }
  std::cout << "ready" << std::endl;
  char ignored;
  while (::read(STDIN_FILENO, &ignored, 1) > 0) {
  }
  server->Shutdown(std::chrono::system_clock::now());
  return 0;
}

}  // namespace tipstaff::bench
