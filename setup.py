"""pip install --no-build-isolation --no-deps .

CMake builds the package into build/python, as `./run python` does; this script copies it, with the
shipped vehicles, tracks, scenarios, profiles, studies and estimates beside it.
"""
import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class Build(build_ext):
    def run(self):
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
        subprocess.check_call(["cmake", "--preset", "release"], cwd=ROOT)
        subprocess.check_call(["cmake", "--build", "build/release", "--parallel", jobs, "--target", "python"],
                              cwd=ROOT)
        package = Path(self.build_lib).resolve() / "klingel"
        package.mkdir(parents=True, exist_ok=True)
        for compiled in (ROOT / "build/python/klingel").glob("_klingel*.so"):
            shutil.copy2(compiled, package)
        for folder in ("vehicles", "tracks", "scenarios", "profiles", "studies", "estimates"):
            shutil.copytree(ROOT / folder, package / "data" / folder, dirs_exist_ok=True)


setup(
    name="klingel",
    version=re.search(r"project\(klingel VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1],
    description="Symbolic multibody compiler and simulator of railway vehicles",
    packages=["klingel"],
    package_dir={"klingel": "python/klingel"},
    package_data={"klingel": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("klingel._klingel", [])],
    cmdclass={"build_ext": Build},
    python_requires=">=3.9",
    install_requires=["numpy"],
)
