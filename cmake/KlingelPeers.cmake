# klingel::peers: MuJoCo and Simbody behind plain headers, and the mechanisms on which we compare
# ourselves with them (tests/peers). For tests and benches only; the product never links it.
find_package(mujoco REQUIRED)
# Debian's target names an include folder that does not exist; the headers are in the usual place
set_target_properties(mujoco::mujoco PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "")
find_package(Simbody REQUIRED)

# Simbody's headers are C++17, and its code warns a lot
add_library(peers_simbody STATIC peers/simbody_peer.cpp)
set_target_properties(peers_simbody PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
target_include_directories(peers_simbody SYSTEM PRIVATE "${Simbody_INCLUDE_DIR}")
target_link_libraries(peers_simbody PRIVATE ${Simbody_LIBRARIES})

add_library(peers STATIC peers/tree.cpp peers/models.cpp peers/plain_peer.cpp
                         peers/mujoco_peer.cpp)
set_target_properties(peers PROPERTIES CXX_EXTENSIONS OFF)
target_link_libraries(peers PRIVATE klingel::flags mujoco::mujoco peers_simbody)
add_library(klingel::peers ALIAS peers)
